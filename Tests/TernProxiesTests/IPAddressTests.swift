// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernProxies

@Suite("IPAddress")
struct IPAddressTests {
    static let refused = [
        "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.4 ", " 1.2.3.4", "1.2.3.256", "01.2.3.4", "1.2.3.", ".1.2.3", "a.b.c.d",
        "0x1.2.3.4", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::g", "[::1]", "::1%1",
        "::1.2.3", "::1\0", "1.2.3.4\0", "::1/64", "1:2:3:4:5:6:7:", "0000:0000:0000:0000:0000:ffff:255.255.255.2555",
    ]

    @Test(arguments: refused)
    func `what is no address is refused`(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test
    func `addresses are read`() {
        #expect(IPAddress("1.2.3.4")?.bytes == [1, 2, 3, 4])
        #expect(IPAddress("::")?.bytes == Array(repeating: 0, count: 16))
        #expect(IPAddress("0000:0000:0000:0000:0000:ffff:255.255.255.255")?.unmapped.bytes == [255, 255, 255, 255])
        #expect(IPAddress("1:2:3:4:5:6:7:FF8")?.bytes == [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0x0F, 0xF8])
    }

    @Test(arguments: 0...128)
    func `bits are compared up to their number`(_ count: Int) throws {
        let (zeros, ones) = (try #require(IPAddress("::")), try #require(IPAddress("ffff::")))
        #expect(zeros.shares(count, with: zeros))
        #expect(zeros.shares(count, with: ones) == (count == 0))
        let last = try #require(IPAddress("::1"))
        #expect(zeros.shares(count, with: last) == (count < 128))
    }
}
