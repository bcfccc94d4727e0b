// SPDX-License-Identifier: Apache-2.0

import TernProxies
import Testing

/// An exception, a host, and whether the exception applies to the host.
struct ExceptionCase: CustomTestStringConvertible, Sendable {
    var text: String
    var host: String
    var port: Int
    var isContained: Bool

    init(_ text: String, _ host: String, port: Int = 443, _ isContained: Bool) {
        (self.text, self.host, self.port, self.isContained) = (text, host, port, isContained)
    }

    var testDescription: String { "\(self.text) \(self.isContained ? "has" : "lacks") \(self.host):\(self.port)" }
}

@Suite("ProxyExceptions")
struct ProxyExceptionsTests {
    static let names: [ExceptionCase] = [
        .init("", "example.com", false), .init(" , ,", "example.com", false), .init("*", "example.com", true),
        .init("a, *", "example.com", true), .init("*", "::1", true), .init("*:80", "example.com", false),
        .init("*:80", "example.com", port: 80, true),
        .init("example.com", "example.com", true), .init("example.com", "www.example.com", true),
        .init("example.com", "a.b.example.com", true), .init("example.com", "badexample.com", false),
        .init("ample.com", "example.com", false), .init("example.com", "example.com.evil.example", false),
        .init("example.com", "example.org", false), .init("www.example.com", "example.com", false),
        .init("example", "example.com", false), .init("com", "example.com", true), .init(".com", "com", true),
        .init(".example.com", "www.example.com", true), .init(".example.com", "example.com", true),
        .init(".example.com", "badexample.com", false), .init("*.example.com", "www.example.com", true),
        .init("*.example.com", "badexample.com", false), .init("*example.com", "badexample.com", false),
        .init("*example.com", "example.com", false), .init("ex*.com", "example.com", false),
        .init("**", "example.com", false), .init("*.", "example.com", false), .init(".", "example.com", false),
        .init("..", "example.com", false),
        .init("EXAMPLE.com", "example.COM", true), .init("example.com.", "example.com", true),
        .init("example.com", "example.com.", true), .init(".example.com.", "www.example.com.", true),
        .init("a,example.com,b", "example.com", true), .init("a example.com b", "example.com", true),
        .init("a, example.com", "example.com", true), .init("a\texample.com\n", "example.com", true),
        .init("a;example.com", "example.com", false), .init("http://example.com", "example.com", false),
        .init("localhost", "localhost", true), .init("localhost", "notlocalhost", false),
        .init("ex", "", false), .init("example.com", ".example.com", true), .init("ä.example", "Ä.example", true),
    ]

    static let ports: [ExceptionCase] = [
        .init("example.com:443", "example.com", true), .init("example.com:443", "www.example.com", true),
        .init("example.com:80", "example.com", false), .init(".example.com:8080", "a.example.com", port: 8080, true),
        .init("example.com:", "example.com", false), .init("example.com:0", "example.com", port: 0, false),
        .init("example.com:x", "example.com", false), .init("example.com:443:1", "example.com", false),
        .init("example.com:65979", "example.com", false), .init("example.com.:443", "example.com", true),
        .init("10.0.0.1:443", "10.0.0.1", true), .init("10.0.0.1:80", "10.0.0.1", false),
        .init("[::1]:443", "::1", true), .init("[::1]:80", "::1", false), .init("[::1]", "::1", true),
        .init("[::1]:", "::1", false), .init("[::1]x", "::1", false), .init("[::1", "::1", false),
        .init("[10.0.0.1]", "10.0.0.1", false), .init(":443", "example.com", false),
    ]

    static let addresses: [ExceptionCase] = [
        .init("10.0.0.1", "10.0.0.1", true), .init("10.0.0.1", "10.0.0.10", false),
        .init("10.0.0.1", "10.0.0.2", false),
        .init("0.0.1", "10.0.0.1", false), .init(".0.0.1", "10.0.0.1", false), .init("1", "10.0.0.1", false),
        .init("10.0.0.1", "a.10.0.0.1", false), .init("10.0.0.1", "10.0.0.1.example.com", false),
        .init("010.0.0.1", "10.0.0.1", false), .init("2001:db8::1", "2001:db8::1", true),
        .init("2001:DB8:0:0:0:0:0:1", "2001:db8::1", true), .init("2001:db8::1", "[2001:db8::1]", true),
        .init("2001:db8::1", "2001:db8::2", false), .init("::ffff:10.0.0.1", "10.0.0.1", true),
        .init("10.0.0.1", "::ffff:a00:1", true), .init("[::ffff:10.0.0.1]:443", "10.0.0.1", true),
        .init("::10.0.0.1", "10.0.0.1", false), .init("fe80::1%eth0", "fe80::1", false),
    ]

    static let ranges: [ExceptionCase] = [
        .init("10.0.0.0/8", "10.255.0.1", true), .init("10.0.0.0/8", "11.0.0.1", false),
        .init("10.1.2.3/8", "10.9.9.9", true), .init("192.168.0.0/16", "192.168.255.255", true),
        .init("192.168.0.0/16", "192.169.0.0", false), .init("172.16.0.0/12", "172.31.255.255", true),
        .init("172.16.0.0/12", "172.32.0.0", false), .init("10.0.0.128/25", "10.0.0.127", false),
        .init("10.0.0.128/25", "10.0.0.129", true), .init("10.0.0.1/32", "10.0.0.1", true),
        .init("10.0.0.1/32", "10.0.0.0", false), .init("10.0.0.1/31", "10.0.0.0", true),
        .init("0.0.0.0/0", "8.8.8.8", true), .init("0.0.0.0/0", "::1", false), .init("::/0", "8.8.8.8", false),
        .init("::/0", "2001:db8::1", true), .init("0.0.0.0/0", "example.com", false),
        .init("10.0.0.0/33", "10.0.0.0", false), .init("10.0.0.0/-1", "10.0.0.0", false),
        .init("10.0.0.0/", "10.0.0.0", false), .init("10.0.0.0/+8", "10.0.0.0", false),
        .init("10.0.0.0/8/8", "10.0.0.0", false), .init("10.0.0.0/8:443", "10.0.0.0", false),
        .init("10.0.0.0/9999999999999999999999", "10.0.0.0", false), .init("10.0/8", "10.0.0.1", false),
        .init("/8", "10.0.0.1", false), .init("/", "example.com", false), .init("example.com/8", "example.com", false),
        .init("fd00::/8", "fdff::1", true), .init("fd00::/8", "fe00::1", false),
        .init("2001:db8::/33", "2001:db8:7fff::", true), .init("2001:db8::/33", "2001:db8:8000::", false),
        .init("2001:db8::1/128", "2001:db8::1", true), .init("2001:db8::/129", "2001:db8::", false),
        .init("::ffff:10.0.0.0/104", "10.1.1.1", true), .init("::ffff:10.0.0.0/104", "11.1.1.1", false),
        .init("10.0.0.0/8", "::ffff:10.1.1.1", true), .init("::ffff:0:0/96", "1.2.3.4", true),
        .init("::ffff:0:0/95", "1.2.3.4", false), .init("[fd00::]/8", "fd00::1", false),
    ]

    @Test(arguments: names + ports + addresses + ranges)
    func `an exception means a host or not`(_ vector: ExceptionCase) {
        let exceptions = ProxyExceptions(vector.text)
        #expect(exceptions.contains(host: vector.host, port: vector.port) == vector.isContained)
    }

    @Test
    func `one bad entry leaves the others`() {
        let exceptions: ProxyExceptions = "10.0.0.0/99,:::,[,example.com:99999,[::1]:2,ok.example"
        #expect(exceptions.contains(host: "ok.example", port: 1))
        #expect(exceptions.contains(host: "::1", port: 2))
        #expect(!exceptions.contains(host: "10.0.0.0", port: 1))
        #expect(!exceptions.contains(host: "example.com", port: 1))
    }

    @Test
    func `no exceptions are the same as an empty text`() {
        #expect(ProxyExceptions.none == "")
        #expect(!ProxyExceptions.none.contains(host: "", port: 0))
    }
}
