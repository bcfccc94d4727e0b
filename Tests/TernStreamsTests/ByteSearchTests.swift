// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernStreams

@Suite("The search for a byte")
struct ByteSearchTests {
    private func offset(of byte: UInt8, in text: String, from start: Int) -> Int {
        Array(text.utf8).withUnsafeBytes { ByteSearch.firstOffset(of: byte, in: $0, from: start) }
    }

    @Test(arguments: [("abcb", 0, 1), ("abcb", 1, 1), ("abcb", 2, 3), ("b", 0, 0)])
    func `the first at or after the start is found`(text: String, start: Int, expected: Int) {
        #expect(self.offset(of: UInt8(ascii: "b"), in: text, from: start) == expected)
    }

    @Test(arguments: [("", 0), ("acd", 0), ("abc", 2), ("abc", 3)])
    func `without one the result is the count`(text: String, start: Int) {
        #expect(self.offset(of: UInt8(ascii: "b"), in: text, from: start) == text.utf8.count)
    }

    @Test func `bytes above 127 are found`() {
        let bytes: [UInt8] = [0x61, 0xFF, 0x80]
        let found = bytes.withUnsafeBytes { ByteSearch.firstOffset(of: 0xFF, in: $0, from: 0) }
        #expect(found == 1)
    }
}
