// SPDX-License-Identifier: Apache-2.0

import TernRequests
import Testing

@testable import TernAuthentication

/// Tests what a Digest flow learns from the answers of a server.
///
/// Python's hashlib computed the expected responses.
@Suite("Digest: what is learnt")
struct DigestFlowTests {
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let firstCnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    static func challenge(_ parameters: String) throws -> HTTPChallenge {
        let field = "Digest realm=\"http-auth@example.org\", \(parameters)"
        return try #require(try HTTPChallenge.parse([field]).first)
    }

    static func authorizer(_ parameters: String = "nonce=\"\(nonce)\", qop=auth") throws -> Authorizer {
        try Authorizer(
            try self.challenge(parameters),
            Credential(user: "Mufasa", password: "Circle of Life"),
            origin: Origin(scheme: .http, host: "example.org"),
            target: "/"
        )
    }

    /// Returns the nonce, the count and the response of the next value.
    @discardableResult
    static func use(
        _ authorizer: inout Authorizer,
        cnonce: String = "0a4f113b"
    ) throws -> (nonce: String?, count: String?, response: String?) {
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: cnonce)
        let fields = try #require(try HTTPChallenge.parse([value]).first)
        return (fields["nonce"], fields["nc"], fields["response"])
    }

    // MARK: stale

    @Test(arguments: ["true", "TRUE", "\"True\""])
    func `a stale nonce is replaced`(_ stale: String) throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer)
        try Self.use(&authorizer)
        let verdict = authorizer.challenged(by: try Self.challenge("nonce=next, qop=auth, stale=\(stale)"))
        #expect(verdict == .again)
        let next = try Self.use(&authorizer)
        #expect(next.nonce == "next")
        #expect(next.count == "00000001")
        #expect(next.response == "d3db3546c814998077126916d133e16d")
    }

    static let refusals = [
        "nonce=next, qop=auth", "nonce=next, qop=auth, stale=false", "nonce=next, qop=auth, stale=yes",
        "nonce=\"\(nonce)\", qop=auth, stale=true", "nonce=next, qop=auth, stale=true, algorithm=SHA-256",
        "nonce=next, qop=auth, stale=true, algorithm=MD5-sess", "nonce=next, qop=\"x\", stale=true", "stale=true",
    ]

    @Test(arguments: refusals)
    func `other challenges refuse the credential, and nothing changes`(_ parameters: String) throws {
        var authorizer = try Self.authorizer()
        #expect(authorizer.challenged(by: try Self.challenge(parameters)) == .refused)
        let next = try Self.use(&authorizer)
        #expect(next.nonce == Self.nonce)
    }

    @Test
    func `another realm or scheme is another question`() throws {
        var authorizer = try Self.authorizer()
        let field = "Digest realm=other, nonce=next, qop=auth, stale=true, Basic realm=\"http-auth@example.org\""
        #expect(authorizer.challenged(by: try HTTPChallenge.parse([field])) == .refused)
        #expect(authorizer.challenged(by: []) == .refused)
    }

    @Test
    func `the challenge that counts is found among others`() throws {
        var authorizer = try Self.authorizer()
        let field = """
            Digest realm="http-auth@example.org", nonce=a, qop=auth, stale=true, algorithm=SHA-256, \
            Digest realm="http-auth@example.org", nonce=next, qop=auth, stale=true, Basic realm=x
            """
        #expect(authorizer.challenged(by: try HTTPChallenge.parse([field])) == .again)
        #expect(try Self.use(&authorizer).nonce == "next")
    }

    @Test
    func `Basic and Bearer learn nothing`() throws {
        let origin = Origin(scheme: .https, host: "example.org")
        for credential in [Credential(user: "u", password: "p"), Credential(token: "t")] {
            var authorizer = try Authorizer(preemptive: credential, origin: origin)
            let challenge = HTTPChallenge(scheme: authorizer.scheme, parameters: [.init(name: "stale", value: "true")])
            #expect(authorizer.challenged(by: challenge) == .refused)
            try authorizer.received(authenticationInfo: "rspauth=\"", responseBodyHash: nil)
        }
    }

    // MARK: -sess

    @Test
    func `a session's key outlives its nonce, but not a challenge`() throws {
        var authorizer = try Self.authorizer("nonce=\"\(Self.nonce)\", qop=auth, algorithm=MD5-sess")
        try Self.use(&authorizer, cnonce: Self.firstCnonce)
        var other = authorizer
        try authorizer.received(authenticationInfo: "nextnonce=next", responseBodyHash: nil)
        #expect(try Self.use(&authorizer).response == "3faa93eb4494272ab2d26c47a6b9baed")
        let stale = try Self.challenge("nonce=next, qop=auth, algorithm=MD5-sess, stale=true")
        #expect(other.challenged(by: stale) == .again)
        #expect(try Self.use(&other).response == "d04e1cfb9faf46f3c4a841728353d557")
    }

    /// RFC 7616 §3.4.2: a server that stores no sessions computes A1 from the nonces of each request.
    @Test(arguments: ["MD5-sess", "SHA-256-sess", "SHA-512-256-sess"])
    func `a session has one nonce of the client for as long as the server's lasts`(_ algorithm: String) throws {
        var authorizer = try Self.authorizer("nonce=n, qop=auth, algorithm=\(algorithm)")
        let hash = try #require(DigestAlgorithm(algorithm)).hash
        for (index, cnonce) in ["first", "second", "third"].enumerated() {
            let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: cnonce)
            let fields = try #require(try HTTPChallenge.parse([value]).first)
            #expect(fields["cnonce"] == "first")
            let password = hash.hex("Mufasa:http-auth@example.org:Circle of Life")
            let key = hash.hex("\(password):n:first")
            let expected = hash.hex("\(key):n:0000000\(index + 1):first:auth:\(hash.hex("GET:/"))")
            #expect(fields["response"] == expected)
        }
        let stale = try Self.challenge("nonce=n2, qop=auth, algorithm=\(algorithm), stale=true")
        #expect(authorizer.challenged(by: stale) == .again)
        let value = try authorizer.fieldValue(method: "GET", target: "/", bodyHash: nil, cnonce: "fourth")
        #expect(try HTTPChallenge.parse([value]).first?["cnonce"] == "fourth")
    }

    // MARK: Without stale

    @Test
    func `a nonce is renewed without stale only where it is asked for`() throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer)
        let sent = try #require(authorizer.nonce)
        let new = try Self.challenge("nonce=next, qop=auth")
        #expect(authorizer.challenged(by: new) == .refused)
        #expect(authorizer.renew(from: [new], replacing: sent) == true)
        let first = try Self.use(&authorizer)
        #expect(first.nonce == "next")
        #expect(first.count == "00000001")
        #expect(first.response == "d3db3546c814998077126916d133e16d")
        // The server also refused another request with the old nonce. The count of the new nonce continues.
        #expect(authorizer.renew(from: [new], replacing: sent) == true)
        #expect(try Self.use(&authorizer).count == "00000002")
        #expect(authorizer.renew(from: [new], replacing: Array("next".utf8)) == false)
    }

    @Test(arguments: ["nonce=x, qop=auth, algorithm=SHA-256", "nonce=x, qop=auth, algorithm=MD5-sess", "qop=auth"])
    func `another algorithm renews nothing`(_ parameters: String) throws {
        var authorizer = try Self.authorizer()
        let challenges = [try Self.challenge(parameters)]
        #expect(authorizer.renew(from: challenges, replacing: Array(Self.nonce.utf8)) == false)
        let other = try HTTPChallenge.parse(["Digest realm=other, nonce=x, qop=auth, Basic realm=x"])
        #expect(authorizer.renew(from: other, replacing: Array(Self.nonce.utf8)) == false)
        var basic = try Authorizer(
            preemptive: Credential(user: "u", password: "p"),
            origin: Origin(scheme: .https, host: "example.org")
        )
        #expect(basic.nonce == nil)
        #expect(basic.renew(from: other, replacing: []) == false)
    }

    // MARK: Other charsets

    // RFC 7616 §3.3 says about `opaque` that it "SHOULD be returned by the client unchanged". The hashes are from
    // Python's hashlib.
    @Test
    func `realm, nonce and opaque go back byte for byte`() throws {
        let (realm, nonce, opaque): ([UInt8], [UInt8], [UInt8]) = (
            [0x42, 0xFC, 0x72, 0x6F], [0x6E, 0xE9], [0xFF, 0xFE, 0x71]
        )
        var field = Array("Digest realm=\"".utf8) + realm + Array("\", nonce=\"".utf8) + nonce
        field += Array("\", opaque=\"".utf8) + opaque + Array("\", qop=auth".utf8)
        let challenge = try #require(HTTPChallenge.readable(in: [field]).first)
        #expect(challenge.realm == "Büro")
        let origin = Origin(scheme: .http, host: "device")
        var authorizer = try Authorizer(challenge, Credential(user: "u", password: "p"), origin: origin, target: "/")
        let value = try authorizer.fieldBytes(method: "GET", target: "/", bodyHash: nil, cnonce: "c")
        let sent = try #require(HTTPChallenge.readable(in: [value]).first)
        #expect(sent.bytes(of: "realm") == realm)
        #expect(sent.bytes(of: "nonce") == nonce)
        #expect(sent.bytes(of: "opaque") == opaque)
        #expect(sent["response"] == "dae87c8827816ffffcfa4ce1fb1a2022")
        let hashed = try #require(HTTPChallenge.readable(in: [field + Array(", userhash=true".utf8)]).first)
        var other = try Authorizer(hashed, Credential(user: "u", password: "p"), origin: origin, target: "/")
        let name = try other.fieldBytes(method: "GET", target: "/", bodyHash: nil, cnonce: "c")
        #expect(HTTPChallenge.readable(in: [name]).first?["username"] == "79cb074d05173fae4e585f5fe1533dd0")
        let info = Array("nextnonce=\"".utf8) + opaque + Array("\"".utf8)
        try authorizer.received(authenticationInfo: info, responseBodyHash: nil)
        #expect(authorizer.nonce == opaque)
    }

    // MARK: nextnonce

    @Test
    func `the next nonce is taken and counted from one`() throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer)
        try authorizer.received(authenticationInfo: #"nextnonce="next""#, responseBodyHash: nil)
        let next = try Self.use(&authorizer)
        #expect(next.nonce == "next")
        #expect(next.count == "00000001")
        #expect(next.response == "d3db3546c814998077126916d133e16d")
    }

    @Test(arguments: ["nextnonce=\"\(nonce)\"", "", "other=x", "qop=auth"])
    func `a nonce in use is not counted anew`(_ info: String) throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer)
        try authorizer.received(authenticationInfo: info, responseBodyHash: nil)
        let next = try Self.use(&authorizer)
        #expect(next.nonce == Self.nonce)
        #expect(next.count == "00000002")
    }

    @Test(arguments: [
        ("nextnonce=\"", ChallengeViolation.unterminatedString(at: 10)), ("Digest nextnonce=a", .malformed(at: 7)),
    ])
    func `a malformed field is refused`(_ info: String, _ violation: ChallengeViolation) throws {
        var authorizer = try Self.authorizer()
        #expect(throws: AuthorizationError.malformedAuthenticationInfo(violation)) {

            try authorizer.received(authenticationInfo: info, responseBodyHash: nil)
        }
        #expect(try Self.use(&authorizer).nonce == Self.nonce)
    }

    // MARK: rspauth

    /// Returns the proof of a server that knows the password.
    private static func info(_ count: String, _ cnonce: String, target: String = "/", adding: String = "") -> String {
        let hash = DigestAlgorithm.Hash.md5
        let key = hash.hex("Mufasa:http-auth@example.org:Circle of Life")
        let proof = hash.hex("\(key):\(self.nonce):\(count):\(cnonce):auth:\(hash.hex(":\(target)"))")
        return "qop=auth, rspauth=\"\(proof)\", cnonce=\"\(cnonce)\", nc=\(count)\(adding)"
    }

    @Test
    func `proofs may come in any order, each once`() throws {
        var authorizer = try Self.authorizer()
        for cnonce in ["a", "b", "c"] { try Self.use(&authorizer, cnonce: cnonce) }
        try authorizer.received(authenticationInfo: Self.info("00000003", "c"), responseBodyHash: nil)
        try authorizer.received(authenticationInfo: Self.info("00000001", "a"), responseBodyHash: nil)
        try authorizer.received(authenticationInfo: Self.info("00000002", "b"), responseBodyHash: nil)
        #expect(throws: AuthorizationError.wrongServerProof) {
            try authorizer.received(authenticationInfo: Self.info("00000002", "b"), responseBodyHash: nil)
        }
    }

    @Test(arguments: [
        info("00000001", "b"), info("00000002", "a"), info("00000001", "a", target: "/x"),
        info("00000001", "a").replacing("qop=auth", with: "qop=auth-x"), "rspauth=\"\"",
        "rspauth=x, cnonce=a, nc=00000001",
        info("00000001", "a").replacing(", nc=00000001", with: ""),
    ])
    func `a wrong proof is refused, and its next nonce with it`(_ info: String) throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer, cnonce: "a")
        #expect(throws: AuthorizationError.wrongServerProof) {
            try authorizer.received(authenticationInfo: "\(info), nextnonce=next", responseBodyHash: nil)
        }
        #expect(try Self.use(&authorizer).nonce == Self.nonce)
    }

    @Test
    func `a proof of an earlier nonce is checked, too`() throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer, cnonce: "a")
        try authorizer.received(authenticationInfo: "nextnonce=next", responseBodyHash: nil)
        try Self.use(&authorizer, cnonce: "b")
        try authorizer.received(authenticationInfo: Self.info("00000001", "a"), responseBodyHash: nil)
    }

    @Test
    func `digits and qop have no case, and qop may be missing`() throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer, cnonce: "0")
        try Self.use(&authorizer, cnonce: "0")
        let first = Self.info("00000001", "0").replacing("qop=auth", with: "qop=AUTH")
        try authorizer.received(authenticationInfo: first, responseBodyHash: nil)
        let plain = Self.info("00000002", "0").replacing("qop=auth, ", with: "")
        let proof = try #require(plain.split(separator: "\"").dropFirst().first)
        let second = plain.replacing(proof, with: proof.uppercased())
        #expect(second != plain)
        try authorizer.received(authenticationInfo: second, responseBodyHash: nil)
        #expect(try Self.use(&authorizer).count == "00000003")
    }

    @Test
    func `a proof over a body needs its hash`() throws {
        var authorizer = try Self.authorizer()
        try Self.use(&authorizer, cnonce: "a")
        let info = "qop=auth-int, rspauth=x, cnonce=a, nc=00000001, nextnonce=next"
        var other = authorizer
        try authorizer.received(authenticationInfo: info, responseBodyHash: nil)
        #expect(try Self.use(&authorizer).nonce == "next")
        #expect(throws: AuthorizationError.wrongServerProof) {
            try other.received(authenticationInfo: info, responseBodyHash: "0")
        }
    }

    @Test
    func `without qop nothing can be proved`() throws {
        var authorizer = try Self.authorizer("nonce=\"\(Self.nonce)\"")
        try Self.use(&authorizer)
        try authorizer.received(authenticationInfo: "rspauth=x, nextnonce=next", responseBodyHash: nil)
        #expect(try Self.use(&authorizer).nonce == "next")
    }

    @Test
    func `the latest uses are remembered`() throws {
        var authorizer = try Self.authorizer()
        for _ in 0..<DigestFlow.maximumUseCount + 1 { try Self.use(&authorizer, cnonce: "c") }
        #expect(throws: AuthorizationError.wrongServerProof) {
            try authorizer.received(authenticationInfo: Self.info("00000001", "c"), responseBodyHash: nil)
        }
        try authorizer.received(authenticationInfo: Self.info("00000002", "c"), responseBodyHash: nil)
    }
}
