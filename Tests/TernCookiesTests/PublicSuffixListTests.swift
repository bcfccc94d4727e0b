// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCookies

@Suite("PublicSuffixList")
struct PublicSuffixListTests {
    /// The test vectors of publicsuffix.org, which are in the public domain.
    ///
    /// Each vector is a host and its registrable domain.
    static let vectors: [(host: String, domain: String?)] = [
        ("com", nil), ("example.com", "example.com"), ("www.example.com", "example.com"),
        (".com", nil), (".example.com", nil),
        ("example", nil), ("example.example", "example.example"), ("a.b.example.example", "example.example"),
        ("biz", nil), ("domain.biz", "domain.biz"), ("a.b.domain.biz", "domain.biz"),
        ("uk.com", nil), ("example.uk.com", "example.uk.com"), ("b.example.uk.com", "example.uk.com"),
        ("test.ac", "test.ac"),
        ("mm", nil), ("c.mm", nil), ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"),
        ("jp", nil), ("test.jp", "test.jp"), ("www.test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"),
        ("kyoto.jp", nil), ("ide.kyoto.jp", nil), ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("c.kobe.jp", nil),
        ("b.c.kobe.jp", "b.c.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"), ("www.city.kobe.jp", "city.kobe.jp"),
        ("ck", nil), ("test.ck", nil), ("b.test.ck", "b.test.ck"), ("a.b.test.ck", "b.test.ck"),
        ("www.ck", "www.ck"), ("www.www.ck", "www.ck"),
        ("us", nil), ("test.us", "test.us"), ("ak.us", nil), ("test.ak.us", "test.ak.us"), ("k12.ak.us", nil),
        ("www.test.k12.ak.us", "test.k12.ak.us"),
        ("xn--85x722f.com.cn", "xn--85x722f.com.cn"), ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("xn--55qx5d.cn", nil), ("shishi.xn--fiqs8s", "shishi.xn--fiqs8s"), ("xn--fiqs8s", nil),
    ]

    @Test(arguments: vectors)
    func `the vectors of publicsuffix.org`(host: String, domain: String?) {
        #expect(PublicSuffixList.bundled.registrableDomain(of: host).map(String.init) == domain)
    }

    @Test(arguments: ["", ".", "a..com", "10.0.0.1", "::1", "fe80::1", "com..", "1.2.3.4."])
    func `an address and what is no name have no suffix`(_ host: String) {
        #expect(PublicSuffixList.bundled.publicSuffix(of: host) == nil)
        #expect(!PublicSuffixList.bundled.isPublicSuffix(host))
    }

    @Test func `a dot at the end changes nothing`() {
        #expect(PublicSuffixList.bundled.isPublicSuffix("co.uk."))
        #expect(PublicSuffixList.bundled.registrableDomain(of: "www.example.co.uk.") == "example.co.uk")
    }

    @Test func `every name of the list is found, and so is the first and the last`() {
        let list = PublicSuffixList.bundled
        let text = PublicSuffixes.names.description
        let lines = text.split(separator: "\n")
        #expect(lines.count > 10_000)
        #expect(lines == lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        for line in lines {
            switch line.last {
            case "!": #expect(!list.isPublicSuffix(String(line.dropLast())), "\(line)")
            case "*": #expect(list.isPublicSuffix("x.\(line.dropLast())"), "\(line)")
            case "+":
                #expect(list.isPublicSuffix(String(line.dropLast())), "\(line)")
                #expect(list.isPublicSuffix("x.\(line.dropLast())"), "\(line)")
            default: #expect(list.isPublicSuffix(String(line)), "\(line)")
            }
        }
    }

    @Test func `a small list`() {
        let list = PublicSuffixList(names: "a\na-b\na.b+\nc.d.a.b!\nd.a.b*\nz")
        #expect(list.publicSuffix(of: "x.a") == "a")
        #expect(list.publicSuffix(of: "x.a-b") == "a-b")
        #expect(list.publicSuffix(of: "x.y.a.b") == "y.a.b")
        #expect(list.publicSuffix(of: "x.c.d.a.b") == "d.a.b")
        #expect(list.publicSuffix(of: "x.y.d.a.b") == "y.d.a.b")
        #expect(list.publicSuffix(of: "x.z") == "z")
        #expect(list.publicSuffix(of: "x.q") == "q")
    }

    @Test func `a name with very many labels`() {
        let host = String(repeating: "a.", count: 5000) + "co.uk"
        #expect(PublicSuffixList.bundled.publicSuffix(of: host) == "co.uk")
        #expect(PublicSuffixList.bundled.registrableDomain(of: host) == "a.co.uk")
    }

    @Test func `sites`() {
        let list = PublicSuffixList.bundled
        #expect(list.isSameSite("a.example.com", "b.example.com"))
        #expect(!list.isSameSite("a.github.io", "b.github.io"))
        #expect(list.isSameSite("10.0.0.1", "10.0.0.1"))
        #expect(!list.isSameSite("10.0.0.1", "11.0.0.1"))
        #expect(list.isSameSite("localhost", "localhost"))
        #expect(PublicSuffixList.version.hasPrefix("20"))
    }
}
