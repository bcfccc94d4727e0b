// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import TestSupport
import Testing

@Suite("RFC 6750: Bearer")
struct BearerConformance {
    private static let origin = Origin(scheme: .https, host: "example.com")

    private static func authorizer(_ token: String) throws -> Authorizer {
        let challenge = HTTPChallenge(scheme: .bearer)
        return try Authorizer(challenge, Credential(token: token), origin: self.origin, target: "/a/b")
    }

    @Test("§2.1: the client sends a valid token", arguments: ["mF_9.B5f-4.1JqM", "a", "0-._~+/==", "a="])
    func accepted(_ token: String) throws {
        var authorizer = try Self.authorizer(token)
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: "")
        #expect(value == "Bearer \(token)")
        #expect(authorizer.scheme == .bearer)
        #expect(authorizer.covers(Self.origin, target: "/elsewhere"))
        #expect(!authorizer.covers(Origin(scheme: .https, host: "www.example.com"), target: "/a/b"))
    }

    @Test(
        "§2.1: the client rejects a token with other characters",
        arguments: ["", "=", "a b", "a=b", "a\r\nb", "a\"", "ä", "a,b", "Bearer a"]
    )
    func refused(_ token: String) {
        #expect(throws: AuthorizationError.invalidToken) { try Self.authorizer(token) }
    }

    @Test("§3: the parser reads the examples of challenges")
    func challenges() throws {
        let first = try #require(try HTTPChallenge.parse([#"Bearer realm="example""#]).first)
        #expect(first.bearerError == nil)
        #expect(first.bearerErrorDescription == nil)
        #expect(first.bearerScopes == [])
        let second = try #require(
            try HTTPChallenge.parse([
                #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#
            ]).first
        )
        #expect(second.bearerError == .invalidToken)
        #expect(second.bearerErrorDescription == "The access token expired")
    }

    @Test(
        "§3: the scope is a list",
        arguments: [
            ("openid profile email", ["openid", "profile", "email"]),
            (
                "urn:example:channel=HBO&urn:example:rating=G,PG-13",
                ["urn:example:channel=HBO&urn:example:rating=G,PG-13"]
            ), ("", []),
        ]
    )
    func scopes(_ scope: String, _ scopes: [String]) throws {
        let field = "Bearer scope=\"\(scope)\", error=insufficient_scope"
        let challenge = try #require(try HTTPChallenge.parse([field]).first)
        #expect(challenge.bearerScopes == scopes)
        #expect(challenge.bearerError == .insufficientScope)
        let other = try #require(try HTTPChallenge.parse([field.replacing("Bearer", with: "Other")]).first)
        #expect(other.bearerScopes == [])
        #expect(other.bearerError == nil)
        #expect(other.bearerErrorDescription == nil)
    }
}
