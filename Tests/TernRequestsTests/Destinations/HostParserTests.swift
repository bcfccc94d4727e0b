// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

@testable import TernRequests

@Suite("RFC 3986 §3.2.2: hosts")
struct HostParserTests {
    private func parse(_ text: String) throws(RequestFailure) -> HostParser.Host {
        let bytes = Array(text.utf8)
        return try HostParser.parse(ContiguousArray(bytes).span, from: 0, to: bytes.count)
    }

    @Test(arguments: [
        "a", "localhost", "example.com", "example.com.", "a-b.c-d", "_dmarc.example", "xn--mnchen-3ya.example",
        "1and1.com",
        "0xfg.example", "3com", "1.2.3.com", "1.2.3.4.5.example", "0.0.0.0", "127.0.0.1", "255.255.255.255", "1.2.3.0",
        "a.1b", "0x.x",
    ])
    func `a name or an address is accepted`(text: String) throws {
        let host = try self.parse(text)
        #expect(host.text == text)
        #expect(!host.isIPv6)
        #expect(host.end == text.utf8.count)
    }

    @Test(arguments: [
        ".", "..", ".a", "a..b", "a b", "a%20b", "%41", "a\\b", "a,b", "a;b", "a!b", "a$b", "a&b", "a'b", "(a)", "a*",
        "a+b",
        "a=b", "a~b", "a\"b", "<a>", "a^b", "a`b", "{a}", "a|b", "a\tb", "a\0", "a\r\nb", "ä", "münchen.de", "日本.jp",
        "a@b",
        "a]", "a[b]", "\u{7F}",
    ])
    func `what no name has is refused`(text: String) {
        #expect(throws: RequestFailure.malformedHost) { try self.parse(text) }
    }

    @Test(arguments: [
        "1", "127.1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "01.2.3.4", "1.2.3.04", "1.2.3.4.", "127.1.",
        "1.", "a.0x7f.", "2130706433",
        "0x7f000001", "0x7f.1", "0X7F.0.0.1", "a.1", "example.0", "example.0x1f", "00.0.0.0", "1..2.3", "999.example.7",
        "0x",
    ])
    func `a number at the end makes an address, of which there is one form`(text: String) {
        #expect(throws: RequestFailure.malformedHost) { try self.parse(text) }
    }

    @Test(arguments: ["", ":80"])
    func `no host is missing, not malformed`(text: String) {
        #expect(throws: RequestFailure.missingHost) { try self.parse(text) }
    }

    @Test(arguments: [("EXAMPLE.Com", "example.com"), ("[2001:DB8::A]", "2001:db8::a"), ("A_Z-0", "a_z-0")])
    func `letters become lower case`(text: String, expected: String) throws {
        #expect(try self.parse(text).text == expected)
    }

    @Test(arguments: [("a:80", 1), ("a.b:", 3), ("[::1]:80", 5), ("[::1]", 5), ("127.0.0.1:8", 9)])
    func `the end is where the port begins`(text: String, end: Int) throws {
        #expect(try self.parse(text).end == end)
    }

    @Test(arguments: [
        "::", "::1", "1::", "1:2:3:4:5:6:7:8", "2001:db8::1", "fe80::1:2:3:4", "::ffff:1.2.3.4", "1::8", "1:2:3::6:7:8",
        "ABCD:ef01::", "1:2:3:4:5:6:7:0", "0:2:3:4:5:6:7:8",
    ])
    func `an IPv6 address is accepted, in brackets only`(text: String) throws {
        let host = try self.parse("[\(text)]")
        #expect(host.text == text.lowercased())
        #expect(host.isIPv6)
        #expect((try? self.parse(text))?.isIPv6 != true)
    }

    @Test(arguments: [
        "", ":", ":::", "1", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::12345", "g::",
        "1:2:3:4:5:6:7:",
        ":1:2:3:4:5:6:7", "::1:", ":1::", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1.2.3.4", "::1.2.3", "::1.2.3.256",
        "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "::01.2.3.4", "fe80::1%eth0", "fe80::1%25", "v1.fe80", "::1 ",
        " ::1",
        "::é", "1::2:", "1:::2", "::.", "::1.", "::ffff:1.2.3.4.5", "[::1]",
    ])
    func `what is no IPv6 address is refused in brackets`(text: String) {
        #expect(throws: RequestFailure.malformedHost) { try self.parse("[\(text)]") }
    }

    @Test(arguments: ["[", "[::1", "[]", "[::1"])
    func `brackets are closed`(text: String) {
        #expect(throws: RequestFailure.malformedHost) { try self.parse(text) }
    }

    @Test(arguments: ["http://[::1]a/", "http://[::1]80/", "http://[::1][::1]/", "http://[::1]]/"])
    func `after the brackets there is a port or nothing`(text: String) {
        #expect(throws: RequestFailure.malformedHost) { try Destination(text: text) }
    }
}
