// SPDX-License-Identifier: Apache-2.0

import TernRequests
import Testing

@testable import TernAuthentication

/// Tests which requests the `domain` of a Digest challenge covers (RFC 7616 §3.3).
///
/// ConformanceTests has the tests for Basic (RFC 7617 §2.2).
@Suite("Coverage: domain")
struct CoverageTests {
    private static let origin = Origin(scheme: .https, host: "example.com")

    static let rows: [(domain: String?, target: String, Bool)] = [
        (nil, "/", true), (nil, "/a/b", true), (nil, "/a/../b", true),
        ("", "/a", true), (" ", "/a", true),
        ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/a?b", true), ("/a", "/ab", false),
        ("/a", "/", false), ("/a", "/b/a", false), ("/a/", "/a/b", true), ("/a/", "/a", false),
        ("/a", "/a/../b", false), ("/a", "/a/%2e%2E/b", false), ("/a", "/A", false),
        ("/x /a\t/b", "/b/c", true), ("/x /a  /b", "/c", false),
        ("https://example.com/a", "/a/b", true), ("https://EXAMPLE.com:443/a", "/a", true),
        ("https://example.com", "/any", true), ("https://example.com/a", "/b", false),
        ("http://example.com/a", "/a", false), ("https://example.com:444/a", "/a", false),
        ("https://other.com/", "/", false), ("//other.com/", "/", false),
        ("https://example.com@other.com/", "/", false),
        ("https://other.com/ /a", "/a", true), ("https://other.com/ /a", "/b", false),
        ("/a[b]%20c", "/a%5Bb%5D%20c", true), ("https://example.com/a|%20", "/a%7C%20", true),
        ("a", "/a", false), ("::", "/a", false), ("https://[::1/", "/", false), ("\u{0}", "/", false),
    ]

    @Test(arguments: rows)
    func `URIs of the origin count, others do not`(_ domain: String?, _ target: String, _ isCovered: Bool) {
        let coverage = Coverage.digest(Self.origin, domain: domain)
        #expect(coverage.contains(Self.origin, target: target) == isCovered)
        #expect(!coverage.contains(Origin(scheme: .http, host: "example.com"), target: target))
        #expect(!coverage.contains(Origin(scheme: .https, host: "other.com"), target: target))
    }

    @Test
    func `a list is read up to its limit`() {
        let limit = Coverage.maximumURICount
        let domain = (0...limit).map { "/\($0)" }.joined(separator: " ")
        let coverage = Coverage.digest(Self.origin, domain: domain)
        #expect(coverage.contains(Self.origin, target: "/\(limit - 1)"))
        #expect(!coverage.contains(Self.origin, target: "/\(limit)"))
    }

    @Test
    func `an authorizer asks it`() throws {
        let parameters = ["realm": "r", "nonce": "n", "domain": "/a"].map {
            HTTPChallenge.Parameter(name: $0.key, value: $0.value)
        }
        let challenge = HTTPChallenge(scheme: .digest, parameters: parameters)
        let credential = Credential(user: "u", password: "p")
        let authorizer = try Authorizer(challenge, credential, origin: Self.origin, target: "/b")
        #expect(authorizer.covers(Self.origin, target: "/a/b"))
        #expect(!authorizer.covers(Self.origin, target: "/b"))
    }
}
