// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernRequests

@Suite("Origins")
struct OriginTests {
    @Test(arguments: [
        (Origin(scheme: .https, host: "example.com"), "https://example.com:443"),
        (Origin(scheme: .http, host: "example.com"), "http://example.com:80"),
        (Origin(scheme: .http, host: "example.com", port: 8080), "http://example.com:8080"),
        (Origin(scheme: .https, host: "::1", port: 8443), "https://[::1]:8443"),
        (Origin(scheme: .http, host: "127.0.0.1", port: 1), "http://127.0.0.1:1"),
    ])
    func `a description has scheme, host and port, always all three`(origin: Origin, text: String) {
        #expect("\(origin)" == text)
    }

    @Test(arguments: ["EXAMPLE.com", "Example.COM", "example.com"])
    func `the case of the host does not matter`(host: String) {
        #expect(Origin(scheme: .https, host: host) == Origin(scheme: .https, host: "example.com", port: 443))
    }

    @Test func `brackets around an address are removed`() {
        #expect(Origin(scheme: .http, host: "[FE80::1]").host == "fe80::1")
    }

    @Test func `origins differ by each of their parts`() {
        let origin = Origin(scheme: .https, host: "a", port: 443)
        #expect(origin != Origin(scheme: .http, host: "a", port: 443))
        #expect(origin != Origin(scheme: .https, host: "b", port: 443))
        #expect(origin != Origin(scheme: .https, host: "a", port: 444))
        #expect(Set([origin, Origin(scheme: .https, host: "A")]).count == 1)
    }

    @Test(arguments: [(Origin.Scheme.http, 80), (.https, 443)])
    func `each scheme has its port`(scheme: Origin.Scheme, port: Int) {
        #expect(scheme.defaultPort == port)
        #expect(Origin(scheme: scheme, host: "a").port == port)
        #expect(Origin(scheme: scheme, host: "a").hasDefaultPort)
        #expect(Origin(scheme: scheme, host: "a", port: port).hasDefaultPort)
        #expect(!Origin(scheme: scheme, host: "a", port: port + 1).hasDefaultPort)
    }
}
