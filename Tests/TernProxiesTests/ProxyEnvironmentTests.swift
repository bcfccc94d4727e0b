// SPDX-License-Identifier: Apache-2.0

import TernProxies
import TernRequests
import Testing

/// Environment variables, an origin, and the expected host of the proxy.
struct EnvironmentCase: CustomTestStringConvertible, Sendable {
    var variables: [String: String]
    var origin: Origin
    var proxyHost: String?

    init(_ variables: [String: String], _ scheme: Origin.Scheme, _ host: String, _ proxyHost: String?) {
        self.variables = variables
        self.origin = Origin(scheme: scheme, host: host)
        self.proxyHost = proxyHost
    }

    init(_ variables: [String: String], _ scheme: Origin.Scheme, _ proxyHost: String?) {
        self.init(variables, scheme, "example.com", proxyHost)
    }

    var testDescription: String {
        let text = self.variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        return "\(text) \(self.origin) by \(self.proxyHost ?? "nobody")"
    }
}

@Suite("ProxyEnvironment")
struct ProxyEnvironmentTests {
    private static let both = ["http_proxy": "h", "https_proxy": "s"]

    static let choices: [EnvironmentCase] = [
        .init([:], .http, nil), .init([:], .https, nil), .init(both, .http, "h"), .init(both, .https, "s"),
        .init(["http_proxy": "h"], .https, nil), .init(["https_proxy": "s"], .http, nil),
        .init(["all_proxy": "a"], .http, "a"), .init(["all_proxy": "a"], .https, "a"),
        .init(["ALL_PROXY": "a"], .http, "a"), .init(["ALL_PROXY": "A", "all_proxy": "a"], .https, "a"),
        .init(["http_proxy": "h", "all_proxy": "a"], .http, "h"),
        .init(["https_proxy": "s", "ALL_PROXY": "a"], .http, "a"),
        .init(["HTTPS_PROXY": "s"], .https, "s"), .init(["HTTPS_PROXY": "upper", "https_proxy": "s"], .https, "s"),
        // The request field `Proxy` of a CGI script (CVE-2016-5385).
        .init(["HTTP_PROXY": "evil"], .http, nil), .init(["HTTP_PROXY": "evil", "http_proxy": "h"], .http, "h"),
        .init(["HTTP_PROXY": "evil", "all_proxy": "a"], .http, "a"), .init(["HTTP_PROXY": "evil"], .https, nil),
        .init(["Http_Proxy": "x", "Https_proxy": "x", "All_Proxy": "x"], .https, nil),
        // An empty variable counts as not set.
        .init(["https_proxy": ""], .https, nil), .init(["https_proxy": " \t"], .https, nil),
        .init(["https_proxy": "", "HTTPS_PROXY": "s"], .https, "s"),
        .init(["https_proxy": "", "all_proxy": "a"], .https, "a"),
        .init(["http_proxy": "", "HTTP_PROXY": "evil"], .http, nil), .init(["all_proxy": ""], .http, nil),
        .init(["https_proxy": " s "], .https, "s"),
    ]

    static let exceptions: [EnvironmentCase] = [
        .init(["all_proxy": "a", "no_proxy": "example.com"], .http, nil),
        .init(["all_proxy": "a", "no_proxy": "example.com"], .http, "example.org", "a"),
        .init(["all_proxy": "a", "NO_PROXY": "example.com"], .http, nil),
        .init(["all_proxy": "a", "no_proxy": "x", "NO_PROXY": "example.com"], .http, "a"),
        .init(["all_proxy": "a", "no_proxy": "", "NO_PROXY": "example.com"], .http, nil),
        .init(["all_proxy": "a", "no_proxy": "*"], .https, nil),
        .init(["all_proxy": "a", "no_proxy": "example.com:443"], .https, nil),
        .init(["all_proxy": "a", "no_proxy": "example.com:443"], .http, "a"),
        .init(["all_proxy": "a", "no_proxy": "10.0.0.0/8"], .http, "10.2.3.4", nil),
        .init(["all_proxy": "a", "no_proxy": "10.0.0.0/8"], .http, "11.2.3.4", "a"),
        // For the proxy, loopback would be another machine.
        .init(["all_proxy": "a"], .http, "localhost", nil), .init(["all_proxy": "a"], .http, "LOCALHOST.", nil),
        .init(["all_proxy": "a"], .http, "app.localhost", nil), .init(["all_proxy": "a"], .http, "127.0.0.1", nil),
        .init(["all_proxy": "a"], .http, "127.9.9.9", nil), .init(["all_proxy": "a"], .http, "[::1]", nil),
        .init(["all_proxy": "a"], .http, "::ffff:127.0.0.1", nil), .init(["all_proxy": "a"], .http, "0:0::1", nil),
        .init(["all_proxy": "a"], .http, "mylocalhost", "a"),
        .init(["all_proxy": "a"], .http, "localhost.example", "a"),
        .init(["all_proxy": "a"], .http, "128.0.0.1", "a"), .init(["all_proxy": "a"], .http, "::2", "a"),
        .init(["all_proxy": "a"], .http, "127.0.0.1.example", "a"), .init(["all_proxy": "a"], .http, "1::1", "a"),
    ]

    @Test(arguments: choices + exceptions)
    func `variables name the proxy of an origin`(_ vector: EnvironmentCase) throws {
        let environment = ProxyEnvironment(vector.variables)
        #expect(try environment.proxy(for: vector.origin)?.host == vector.proxyHost)
        let resolver = ProxySelection.environment.resolver(environment: vector.variables)
        #expect(try resolver.proxy(for: vector.origin)?.host == vector.proxyHost)
    }

    @Test
    func `a URL that cannot be read is an error of those who need it`() throws {
        let environment = ProxyEnvironment(
            ["https_proxy": "http://user:p@ss@proxy", "http_proxy": "proxy", "no_proxy": "free.example"]
        )
        #expect(throws: ProxyURLError(.malformedUserInfo, variable: "https_proxy")) {
            try environment.proxy(for: Origin(scheme: .https, host: "example.com"))
        }
        #expect(try environment.proxy(for: Origin(scheme: .http, host: "example.com"))?.host == "proxy")
        #expect(try environment.proxy(for: Origin(scheme: .https, host: "free.example")) == nil)
        #expect(try environment.proxy(for: Origin(scheme: .https, host: "localhost")) == nil)
        #expect(!environment.description.contains("ss@"))
    }

    @Test(arguments: [("ALL_PROXY", Origin.Scheme.http), ("all_proxy", .https), ("HTTPS_PROXY", .https)])
    func `an error names the variable`(_ variable: String, _ scheme: Origin.Scheme) {
        let resolver = ProxySelection.environment.resolver(environment: [variable: "ftp://proxy"])
        #expect(throws: ProxyURLError(.unsupportedScheme("ftp"), variable: variable)) {
            try resolver.proxy(for: Origin(scheme: scheme, host: "example.com"))
        }
    }

    @Test
    func `a URL that cannot be read does not give way to another variable`() {
        let environment = ProxyEnvironment(["https_proxy": "a b", "HTTPS_PROXY": "good", "all_proxy": "good"])
        #expect(throws: ProxyURLError.self) {
            try environment.proxy(for: Origin(scheme: .https, host: "example.com"))
        }
    }
}
