// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import TestSupport
import Testing

@Suite("RFC 7617 §2: Basic")
struct BasicConformance {
    private static let origin = Origin(scheme: .https, host: "example.com")

    private static func authorizer(_ user: String, _ password: String, target: String = "/") throws -> Authorizer {
        let challenge = HTTPChallenge(scheme: .basic, parameters: [.init(name: "realm", value: "WallyWorld")])
        let credential = Credential(user: user, password: password)
        return try Authorizer(challenge, credential, origin: self.origin, target: target)
    }

    @Test(arguments: [
        ("§2", "Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("§2.1", "test", "123\u{A3}", "dGVzdDoxMjPCow=="),
        ("§2 an empty password", "user", "", "dXNlcjo="),
        ("§2 both empty", "", "", "Og=="),
        ("§2 colons in a password", "J\u{E4}s\u{F8}n", "a:b:c", "SsOkc8O4bjphOmI6Yw=="),
    ])
    func `name and password are joined and encoded`(
        _: String,
        _ user: String,
        _ password: String,
        _ value: String
    ) throws {
        var authorizer = try Self.authorizer(user, password)
        #expect(authorizer.scheme == .basic)
        #expect(authorizer.bodyHasher == nil)
        let first = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: "")
        let second = try authorizer.fieldValue(method: "PUT", target: "/x", bodyHash: nil, cnonce: "")
        #expect(first == "Basic \(value)")
        #expect(second == first)
    }

    @Test(arguments: [
        ("a:b", "p", AuthorizationError.invalidUser), (":", "", .invalidUser), ("a\0", "p", .invalidUser),
        ("a\tb", "p", .invalidUser), ("a\u{7F}", "p", .invalidUser), ("a", "p\r\nX: y", .invalidPassword),
        ("a", "\u{7F}", .invalidPassword),
    ])
    func `what cannot be sent is refused`(_ user: String, _ password: String, _ failure: AuthorizationError) {
        #expect(throws: failure) { try Self.authorizer(user, password) }
    }

    @Test(
        "§2.2: the protection space contains the paths below the last slash",
        arguments: [
            ("/docs/index.html", "/docs/", true), ("/docs/index.html", "/docs/test.doc", true),
            ("/docs/", "/docs/index.html?x=/../", true), ("/docs/a", "/docs/b/c", true), ("/docs/a", "/docs", false),
            ("/docs/a", "/other", false), ("/docs/a", "/", false), ("/docs/a", "/docsx/a", false),
            ("/docs?a=/b/c", "/other", true), ("/docs", "/other/x", true), ("/", "/a/b", true), ("*", "/a", false),
            ("/docs/a", "/docs/../secret", false), ("/docs/a", "/docs/%2E%2e/secret", false),
            ("/docs/a", "/docs/..%2fsecret", false), ("/docs/a", "/docs/..\\secret", false),
            ("/docs/a", "/docs/../\u{301}secret", false), ("/docs/a", "/docs/./b", false),
            ("/docs/a", "/docs/b/..", false),
            ("/docs/a", "/docs/%5C..%5csecret", false), ("/docs/a", "/docs/%252e%252e/b", true),
            ("/docs/a", "/docs/...", true), ("/docs/a", "/docs/%", true), ("/docs/a", "/docs/%2", true),
            ("/docs/a", "/docs/.hidden/..b", true), ("/docs/a", "http://example.com/docs/a", false),
        ]
    )
    func space(_ challenged: String, _ target: String, _ isCovered: Bool) throws {
        let authorizer = try Self.authorizer("u", "p", target: challenged)
        #expect(authorizer.covers(Self.origin, target: target) == isCovered)
        #expect(!authorizer.covers(Origin(scheme: .http, host: "example.com"), target: target))
        #expect(!authorizer.covers(Origin(scheme: .https, host: "example.com", port: 8443), target: target))
    }
}
