// SPDX-License-Identifier: Apache-2.0

import TernErrors
import TernProxies
import Testing

@Suite("Proxy")
struct ProxyTests {
    static let readable: [(String, Proxy)] = [
        ("http://proxy.example:3128", Proxy(.http, host: "proxy.example", port: 3128)),
        ("http://proxy.example", Proxy(.http, host: "proxy.example", port: 80)),
        ("https://proxy.example", Proxy(.https, host: "proxy.example", port: 443)),
        ("https://proxy.example:8443/", Proxy(.https, host: "proxy.example", port: 8443)),
        ("socks5://proxy.example", Proxy(.socks5, host: "proxy.example", port: 1080)),
        ("socks5h://proxy.example", Proxy(.socks5, host: "proxy.example", port: 1080)),
        ("socks://proxy.example/", Proxy(.socks5, host: "proxy.example", port: 1080)),
        ("SOCKS5H://PROXY.Example:9050", Proxy(.socks5, host: "proxy.example", port: 9050)),
        ("HTTP://Proxy", Proxy(.http, host: "proxy")),
        ("proxy:3128", Proxy(.http, host: "proxy", port: 3128)),
        ("proxy", Proxy(.http, host: "proxy")),
        ("proxy_1.example.", Proxy(.http, host: "proxy_1.example.")),
        ("10.0.0.1:3128", Proxy(.http, host: "10.0.0.1", port: 3128)),
        ("http://[::1]:3128", Proxy(.http, host: "::1", port: 3128)),
        ("[FE80::1]", Proxy(.http, host: "fe80::1")),
        ("[::ffff:10.0.0.1]:1", Proxy(.http, host: "::ffff:10.0.0.1", port: 1)),
        ("  proxy:3128\r\n", Proxy(.http, host: "proxy", port: 3128)),
        ("proxy:", Proxy(.http, host: "proxy")),
        ("proxy:65535", Proxy(.http, host: "proxy", port: 65535)),
        (
            "http://user:password@proxy:8080",
            Proxy(.http, host: "proxy", port: 8080, user: "user", password: "password")
        ),
        ("user:password@proxy:8080", Proxy(.http, host: "proxy", port: 8080, user: "user", password: "password")),
        ("socks5://user@proxy", Proxy(.socks5, host: "proxy", user: "user")),
        ("http://user:@proxy", Proxy(.http, host: "proxy", user: "user", password: "")),
        ("http://:password@proxy", Proxy(.http, host: "proxy", user: "", password: "password")),
        ("http://@proxy", Proxy(.http, host: "proxy")),
        ("http://:@proxy", Proxy(.http, host: "proxy")),
        ("http://a:b:c@[::1]:2", Proxy(.http, host: "::1", port: 2, user: "a", password: "b:c")),
        ("http://a%40b:%2f%3A%c3%A4@proxy", Proxy(.http, host: "proxy", user: "a@b", password: "/:ä")),
        ("http://u:100%@proxy", Proxy(.http, host: "proxy", user: "u", password: "100%")),
        ("http://u:%zz%2@proxy", Proxy(.http, host: "proxy", user: "u", password: "%zz%2")),
    ]

    @Test(arguments: readable)
    func `a URL names a proxy`(_ text: String, _ expected: Proxy) throws {
        #expect(try Proxy(text) == expected)
    }

    static let unreadable: [(String, ProxyURLError.Rule)] = [
        ("", .empty), (" \t\r\n", .empty),
        ("ftp://proxy", .unsupportedScheme("ftp")), ("SOCKS4://proxy", .unsupportedScheme("socks4")),
        ("socks4a://proxy", .unsupportedScheme("socks4a")), ("httpss://proxy", .unsupportedScheme("")),
        ("://proxy", .malformedScheme), ("1http://proxy", .malformedScheme), ("user:pw://x@proxy", .malformedScheme),
        ("ht tp://proxy", .malformedScheme), (String(repeating: "a", count: 33) + "://proxy", .malformedScheme),
        ("http://", .missingHost), ("http://:3128", .missingHost), ("//proxy", .unexpectedPath),
        (":3128", .missingHost),
        ("http://user@", .missingHost), ("http://user:pw@:1", .missingHost), ("/", .missingHost),
        ("http://pro xy", .malformedHost), ("http://pröxy", .malformedHost), ("http://a..b", .malformedHost),
        ("http://.a", .malformedHost), ("http://.", .malformedHost), ("http://a\0b", .malformedHost),
        ("http://a\r\nHost: b", .malformedHost), ("http://%61", .malformedHost), ("http://a\\b", .malformedHost),
        ("http://127.1", .malformedHost), ("http://0x7f000001", .malformedHost), ("http://1", .malformedHost),
        ("http://256.0.0.1", .malformedHost), ("http://010.0.0.1", .malformedHost), ("http://a.0x", .malformedHost),
        ("http://::1", .missingHost), ("http://fe80::1", .malformedHost), ("http://a:1:2", .malformedHost),
        ("http://[::1", .malformedHost), ("http://[]", .malformedHost), ("http://[1.2.3.4]", .malformedHost),
        ("http://[::1]x", .malformedHost), ("http://[::1%25eth0]", .malformedHost), ("http://[::g]", .malformedHost),
        ("http://[::1]:1:2", .malformedHost),
        ("http://proxy:0", .malformedPort), ("http://proxy:65536", .malformedPort), ("http://proxy:+1", .malformedPort),
        ("http://proxy:x", .malformedPort), ("http://proxy:-1", .malformedPort), ("http://proxy:1 2", .malformedPort),
        ("http://proxy:99999999999999999999999", .malformedPort), ("http://[::1]:a", .malformedPort),
        ("http://u:p@ss@proxy", .malformedUserInfo), ("a@b@c", .malformedUserInfo),
        ("http://u:%FF@proxy", .malformedUserInfo), ("http://%C3:x@proxy", .malformedUserInfo),
        ("http://proxy/path", .unexpectedPath), ("http://proxy//", .unexpectedPath), ("proxy?a", .unexpectedPath),
        ("http://proxy/#", .unexpectedPath), ("http://user:12/3@proxy", .unexpectedPath),
        ("http://user:12#3@proxy", .unexpectedPath),
    ]

    @Test(arguments: unreadable)
    func `a URL that is not plain is refused`(_ text: String, _ rule: ProxyURLError.Rule) {
        #expect(throws: ProxyURLError(rule)) { try Proxy(text) }
    }

    @Test
    func `every start of a URL is read or refused`() throws {
        for (text, _) in Self.readable + Self.unreadable.map({ ($0.0, Proxy(.http, host: "")) }) {
            for end in text.indices {
                guard let proxy = try? Proxy(String(text[..<end])) else { continue }
                #expect(!proxy.host.isEmpty && 1...65535 ~= proxy.port)
            }
        }
    }

    @Test
    func `parts are put into one form`() {
        let proxy = Proxy(.https, host: "[FE80::A]", user: nil, password: "unused")
        #expect(proxy.host == "fe80::a" && proxy.port == 443 && proxy.userInfo == nil)
    }

    @Test
    func `a description hides user and password`() throws {
        let proxy = try Proxy("socks5://Albert:secret@proxy")
        #expect(proxy.description == "socks5://***@proxy:1080")
        #expect(String(describing: Optional(proxy)).contains("***"))
        let selection = ProxySelection.proxy(proxy)
        let texts = [
            String(reflecting: proxy), "\(selection)", "\(selection.resolver(environment: [:]))",
            "\(ProxyEnvironment(["http_proxy": "http://Albert:secret@proxy"]))",
        ]
        for text in texts {
            #expect(text.contains("***@proxy"))
            #expect(!text.contains("Albert") && !text.contains("secret"))
        }
        #expect(Proxy(.http, host: "::1").description == "http://[::1]:80")
    }

    @Test(arguments: [
        "http://Albert:sec@ret@proxy", "http://Albert:secret@", "Albert:secret://proxy", "http://Albert:sec/ret@proxy",
        "http://Albert:secret@pro xy", "http://Albert:secret@proxy:x", "http://Albert:secret%FF@proxy",
        "Albert-secret://proxy", "secret://",
    ])
    func `a violation tells nothing of the URL`(_ text: String) throws {
        let error = try #require(throws: ProxyURLError.self) { try Proxy(text) }
        let description = ProxyURLError(error.rule, variable: "https_proxy").description
        #expect(description.contains("https_proxy "))
        for part in ["Albert", "sec", "proxy:x", "xy/"] { #expect(!String(reflecting: error).contains(part)) }
    }

    @Test
    func `a violation becomes a failure of the call`() {
        #expect(ProxyURLError(.empty).failure == .malformedURL("it is empty"))
        guard case .unsupported(let text) = ProxyURLError(.unsupportedScheme("ftp")).failure else {
            Issue.record("another failure")
            return
        }
        #expect(text.contains("'ftp'"))
    }

    @Test func `no form of text shows the user and the password`() throws {
        let proxy = try Proxy("http://somebody:s3cr3t@proxy.example:3128")
        let selection = ProxySelection.proxy(proxy)
        var text = "\(proxy) \(String(reflecting: proxy)) \(selection) \(selection.resolver(environment: [:]))"
        dump(proxy, to: &text)
        dump(selection, to: &text)
        dump(selection.resolver(environment: [:]), to: &text)
        dump(ProxyEnvironment(["http_proxy": "http://somebody:s3cr3t@proxy.example"]), to: &text)
        #expect(!text.contains("s3cr3t") && !text.contains("somebody"))
        #expect(text.contains("proxy.example"))
    }
}
