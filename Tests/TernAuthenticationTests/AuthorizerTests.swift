// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import Testing

@Suite("Authorizer")
struct AuthorizerTests {
    private static let origin = Origin(scheme: .https, host: "example.com")
    private static let password = Credential(user: "s3cret-name", password: "s3cret")
    private static let token = Credential(token: "s3cret")

    private static func authorizer(
        _ field: String,
        _ credential: Credential,
        isProxy: Bool = false
    ) throws -> Authorizer {
        let challenge = try #require(try HTTPChallenge.parse([field]).first)
        return try Authorizer(challenge, credential, origin: self.origin, target: "/a/b", isProxy: isProxy)
    }

    static let misfits: [(String, Credential, AuthorizationError)] = [
        ("Basic realm=a", token, .wrongKindOfCredential),
        ("Digest realm=a, nonce=b", token, .wrongKindOfCredential),
        ("Bearer", password, .wrongKindOfCredential),
        ("Negotiate", password, .unsupportedScheme),
        ("Negotiate", token, .unsupportedScheme),
        ("Digest realm=a, nonce=b", Credential(user: "a\nb", password: "p"), .invalidUser),
    ]

    @Test(arguments: misfits)
    func `a credential must fit the challenge`(
        _ field: String,
        _ credential: Credential,
        _ failure: AuthorizationError
    ) {
        #expect(throws: failure) { try Self.authorizer(field, credential) }
    }

    @Test(arguments: ["realm", "nonce", "opaque"])
    func `a parameter that cannot be sent back is refused`(_ name: String) {
        var values = ["realm": "a", "nonce": "b", "opaque": "c"]
        values[name] = "a\r\nX: y"
        let challenge = HTTPChallenge(scheme: .digest, parameters: values.map { .init(name: $0.key, value: $0.value) })
        #expect(throws: AuthorizationError.invalidParameter(name)) {
            _ = try Authorizer(challenge, Self.password, origin: Self.origin, target: "/")
        }
    }

    @Test
    func `without a challenge the kind of the credential decides`() throws {
        #expect(try Authorizer(preemptive: Self.password, origin: Self.origin).scheme == .basic)
        #expect(try Authorizer(preemptive: Self.token, origin: Self.origin).scheme == .bearer)
        let below = try Authorizer(preemptive: Self.password, origin: Self.origin, target: "/a/")
        #expect(below.covers(Self.origin, target: "/a/b"))
        #expect(!below.covers(Self.origin, target: "/b"))
        #expect(try Authorizer(preemptive: Self.password, origin: Self.origin).covers(Self.origin, target: "/b"))
    }

    static let requests: [(target: String, cnonce: String, AuthorizationError)] = [
        ("", "c", .invalidTarget), ("/a b", "c", .invalidTarget), ("/\r\nX: y", "c", .invalidTarget),
        ("/ä", "c", .invalidTarget), ("/\u{7F}", "c", .invalidTarget), ("/", "", .invalidCnonce),
        ("/", "a\nb", .invalidCnonce), ("/", "c", .missingBodyHash),
    ]

    @Test(arguments: requests)
    func `a request that cannot be answered for is not counted`(
        _ target: String,
        _ cnonce: String,
        _ failure: AuthorizationError
    ) throws {
        var authorizer = try Self.authorizer("Digest realm=a, nonce=b, qop=auth-int", Self.password)
        #expect(throws: failure) {
            _ = try authorizer.fieldValue(method: "GET", target: target, bodyHash: nil, cnonce: cnonce)
        }
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: "0", cnonce: "c")
        #expect(value.contains("nc=00000001"))
    }

    @Test
    func `a proxy covers everything`() throws {
        for field in ["Basic realm=a", "Digest realm=a, nonce=b, domain=\"/x\""] {
            let authorizer = try Self.authorizer(field, Self.password, isProxy: true)
            #expect(authorizer.covers(Origin(scheme: .http, host: "elsewhere.org"), target: "/a/../b"))
        }
        let bearer = try Self.authorizer("Bearer", Self.token, isProxy: true)
        #expect(bearer.covers(Origin(scheme: .http, host: "elsewhere.org"), target: "*"))
    }

    @Test(arguments: [("Basic realm=a", password), ("Digest realm=a, nonce=b, qop=auth", password), ("Bearer", token)])
    func `an authorizer never shows a secret`(_ field: String, _ credential: Credential) throws {
        var authorizer = try Self.authorizer(field, credential)
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: "cnonce")
        let shown = CredentialTests.shown(authorizer)
        #expect(!shown.contains("s3cret"))
        #expect(!shown.contains(String(value.suffix(16))))
        #expect(!shown.contains("cnonce"))
        #expect(authorizer.description == "\(authorizer.scheme) ***")
    }

    static let failures: [(AuthorizationError, String)] = [
        (.wrongKindOfCredential, "RFC 9110 §11.4"),
        (.unsupportedScheme, "RFC 9110 §11.4"),
        (.invalidUser, "RFC 7617 §2"),
        (.invalidPassword, "RFC 7617 §2"),
        (.invalidToken, "RFC 6750 §2.1"),
        (.unsupportedAlgorithm, "RFC 7616 §3.3"),
        (.unsupportedQop, "RFC 7616 §3.3"),
        (.missingParameter("realm"), "RFC 7616 §3.3"),
        (.invalidParameter("realm"), "RFC 7616 §3.3"),
        (.invalidTarget, "RFC 7616 §3.4"),
        (.invalidCnonce, "RFC 7616 §3.4"),
        (.nonceExhausted, "RFC 7616 §3.4"),
        (.missingBodyHash, "RFC 7616 §3.4.3"),
        (.malformedAuthenticationInfo(.malformed(at: 0)), "RFC 7615 §3"),
        (.wrongServerProof, "RFC 7616 §3.5"),
    ]

    @Test(arguments: failures)
    func `a failure names its section and says what is wrong`(_ failure: AuthorizationError, _ section: String) {
        #expect(failure.section == section)
        #expect(failure.reason.hasSuffix("."))
        #expect(failure.description == "\(failure.reason) (\(section))")
        #expect(Set(Self.failures.map(\.0.reason)).count == Self.failures.count)
    }
}
