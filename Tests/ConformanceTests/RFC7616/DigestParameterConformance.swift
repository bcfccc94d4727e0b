// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import TestSupport
import Testing

@Suite("RFC 7616 §3.3, §3.4: parameters")
struct DigestParameterConformance {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var challenge: String
        var user = "u"
        /// A text that the value must contain.
        var holds: String
    }

    static let rows: [Row] = [
        .init(testDescription: "§3.3: auth is preferred", challenge: #"qop="auth-int, auth""#, holds: ", qop=auth, "),
        .init(testDescription: "§3.3: qop has no case", challenge: #"qop="AUTH""#, holds: ", qop=auth, "),
        .init(
            testDescription: "§3.3: unknown ones are ignored",
            challenge: #"qop="x, auth-conf,auth""#,
            holds: ", qop=auth, "
        ),
        .init(testDescription: "§3.3: no qop", challenge: "x=y", holds: #"nonce="n", response=""#),
        .init(testDescription: "§3.3: an empty qop", challenge: #"qop="""#, holds: #"nonce="n", response=""#),
        .init(testDescription: "§3.3: a qop of commas", challenge: #"qop=" , ,""#, holds: #"nonce="n", response=""#),
        .init(testDescription: "§3.3: a token", challenge: "qop=auth", holds: ", qop=auth, "),
        .init(testDescription: "§3.3: only auth-int", challenge: #"qop="auth-int""#, holds: ", qop=auth-int, "),
        .init(
            testDescription: "§3.3: algorithm in quotes",
            challenge: #"qop=auth, algorithm="SHA-256""#,
            holds: ", algorithm=SHA-256, "
        ),
        .init(
            testDescription: "§3.3: algorithm as the server writes it",
            challenge: "qop=auth, algorithm=sha-256",
            holds: ", algorithm=sha-256, "
        ),
        .init(testDescription: "§3.3: an empty opaque", challenge: #"qop=auth, opaque="""#, holds: #", opaque="""#),
        .init(
            testDescription: "§3.3: unknown parameters",
            challenge: "qop=auth, x=y",
            holds: #"Digest username="u", "#
        ),
        .init(
            testDescription: "§3.4: quotes in a name",
            challenge: "qop=auth",
            user: #"a"b\c"#,
            holds: #"username="a\"b\\c", "#
        ),
        .init(testDescription: "§3.4: quotes in opaque", challenge: #"qop=auth, opaque="\"""#, holds: #"opaque="\"""#),
        .init(
            testDescription: "§3.4.4: a name beyond ASCII, to a server that does not know RFC 7616",
            challenge: "qop=auth",
            user: "Jäsøn Doe",
            holds: #"Digest username="Jäsøn Doe", "#
        ),
        .init(
            testDescription: "§3.4.4: a name beyond ASCII",
            challenge: "qop=auth, charset=UTF-8",
            user: "Jäsøn Doe",
            holds: "Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, "
        ),
        .init(
            testDescription: "§3.4.4: what is not encoded",
            challenge: "qop=auth, algorithm=SHA-256",
            user: "ä!#$&+-.^_`|~*'%",
            holds: "username*=UTF-8''%C3%A4!#$&+-.^_`|~%2A%27%25, "
        ),
        .init(
            testDescription: "§3.4.4: userhash is for all names",
            challenge: "qop=auth, userhash=TRUE",
            holds: ", userhash=true"
        ),
        .init(
            testDescription: "§3.4.4: and in quotes",
            challenge: #"qop=auth, userhash="true""#,
            holds: #"Digest username="ba84be203fdfc7d34e054a76d285d0c9""#
        ),
    ]

    @Test(arguments: rows)
    func `parameters are written as they must be`(_ row: Row) throws {
        var authorizer = try digestAuthorizer(
            "Digest realm=r, nonce=n, \(row.challenge)",
            user: row.user,
            password: "p"
        )
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: "0", cnonce: "c")
        #expect(value.contains(row.holds), "\(value)")
    }

    @Test("§3.4.4: userhash=false has the same effect as no userhash")
    func noUserHash() throws {
        var authorizer = try digestAuthorizer(
            "Digest realm=r, nonce=n, qop=auth, userhash=false",
            user: "u",
            password: "p"
        )
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: "c")
        #expect(!value.contains("userhash"))
        #expect(value.contains(#"username="u""#))
    }

    static let refused: [(String, AuthorizationError)] = [
        ("nonce=n, qop=auth", .missingParameter("realm")),
        ("realm=r, qop=auth", .missingParameter("nonce")),
        ("realm=r, nonce=n, algorithm=SHA-1", .unsupportedAlgorithm),
        ("realm=r, nonce=n, algorithm=\"\"", .unsupportedAlgorithm),
        ("realm=r, nonce=n, algorithm=MD5-session", .unsupportedAlgorithm),
        ("realm=r, nonce=n, qop=\"auth-conf\"", .unsupportedQop),
        ("realm=r, nonce=n, qop=\"\", algorithm=MD5-sess", .unsupportedQop),
        ("realm=r, nonce=n, algorithm=MD5-sess", .unsupportedQop),
    ]

    @Test("§3.3: the client does not answer an unsupported challenge", arguments: refused)
    func unanswerable(_ parameters: String, _ failure: AuthorizationError) throws {
        #expect(throws: failure) { try digestAuthorizer("Digest \(parameters)", user: "u", password: "p") }
    }

    /// The expected response is from Python's hashlib, for the realm and nonce without escapes.
    @Test("§3.3: the client hashes strings without their escapes, and sends them with escapes")
    func escapes() throws {
        let challenge = #"Digest realm="r\"\\", nonce="n\"1", qop=auth"#
        var authorizer = try digestAuthorizer(challenge, user: #"a"b\c"#, password: "p")
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: "c")
        let expected = #"""
            Digest username="a\"b\\c", realm="r\"\\", uri="/", nonce="n\"1", nc=00000001, cnonce="c", qop=auth, \#
            response="4561c444b3dd20bb77f69c514b8c2eca"
            """#
        #expect(value == expected)
    }

    @Test("§3.4: nc counts up in hexadecimal digits")
    func count() throws {
        var authorizer = try digestAuthorizer("Digest realm=r, nonce=n, qop=auth", user: "u", password: "p")
        var counts: [String] = []
        for _ in 0..<300 {
            let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: "c")
            counts.append(try #require(try HTTPChallenge.parse([value]).first?["nc"]))
        }
        #expect(counts.prefix(2) == ["00000001", "00000002"])
        #expect(counts[9] == "0000000a")
        #expect(counts.last == "0000012c")
        #expect(Set(counts).count == 300)
    }
}
