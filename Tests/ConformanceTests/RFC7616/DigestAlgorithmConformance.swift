// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import TestSupport
import Testing

/// The expected responses for one algorithm and one quality of protection, from Python's hashlib.
struct DigestVector: CustomTestStringConvertible, Sendable {
    static let all: [DigestVector] = [
        .init(
            "MD5",
            qop: "auth",
            first: "72149a3c9e7b1f387921d12cf6a5aba7",
            second: "b6cb21abb7bb0d072213e513d0b1529f",
            proof: "221187856ae228eb5dac046a28c48532"
        ),
        .init(
            "MD5",
            qop: "auth-int",
            first: "b686fe691b541cfe5fbc1acd225f984f",
            second: "b0221dbf4df4ed5faea076566e83ceaf",
            proof: "4fe57543bf06699ae525e491ac0de2e0"
        ),
        .init(
            "MD5",
            qop: nil,
            first: "f79c333d951ea832e20fd8fed877d3a9",
            second: "f79c333d951ea832e20fd8fed877d3a9",
            proof: nil
        ),
        .init(
            "MD5-sess",
            qop: "auth",
            first: "321c15daf2762e35d0b498d9a0725900",
            second: "f98c9536171500bc06ca30a24e14a676",
            proof: "4c3ba1d350d8561748d6bc0af2a1b5ab"
        ),
        .init(
            "MD5-sess",
            qop: "auth-int",
            first: "31167a4aa48320e1f1b1449f83ddb88d",
            second: "211451907fcfa23957954ca9896c3e15",
            proof: "697c512fea580084f6d345454cf98260"
        ),
        .init(
            "SHA-256",
            qop: "auth",
            first: "de0d04cd0ac0b7e2eea3fdd93653672588310cf0594b09ff54808137ee3a069d",
            second: "7d6fe891ad8acbcc0d66b6061ab1a0fbb8f714e0a585ebcace7150f09744aaa2",
            proof: "dfc76d9fea535e19a086f5e3c00e42dd98295300af1ff1b24e7412a4bbc3dd3a"
        ),
        .init(
            "SHA-256",
            qop: "auth-int",
            first: "734a59c23b501bd84a5de44f3d7793a399e96610ed03118acd62beb63ae12558",
            second: "5102bd8b8fb404fabfc22f7d64d3d73e3aa67baecb09f88f49a4ada7df4ab5bb",
            proof: "3cd05eb6612ceddf7bc66fed32d1e70dfcb06d2b388bd6e021b7a9183e2f9ee9"
        ),
        .init(
            "SHA-256",
            qop: nil,
            first: "fd34ce3b6ae58233fabfb8b76295f86852e5d0e08bc3ebbe6033188cf0698109",
            second: "fd34ce3b6ae58233fabfb8b76295f86852e5d0e08bc3ebbe6033188cf0698109",
            proof: nil
        ),
        .init(
            "SHA-256-sess",
            qop: "auth",
            first: "98f9474bed736b257aa36e9db4a6cbbd2db8bf2469bb3fc72d80f4cd98f3d434",
            second: "1905146c3bcf75d8cfa41dd452e54b18add6d4d51286c47ac5584e9f053ecb24",
            proof: "6ab7c6a53c318c2f51389f2d362a3c084e49f4116a674307537fa3d1387f5e00"
        ),
        .init(
            "SHA-256-sess",
            qop: "auth-int",
            first: "9f620492614e480cbfd1975313b5572557997468a12afd592c22b1b4ad5e838e",
            second: "1a0c784dc89827892a4c3b447d8fbb873c906c82ac4087325fed066068c6041f",
            proof: "ab62fe4559b898f5f280da11eaea8aa7793387c60c3cd576f040b7e8bf141759"
        ),
        .init(
            "SHA-512-256",
            qop: "auth",
            first: "769109c02c948ea3bba05c317638b8c27416cf1eb7fc23ec222b540636161438",
            second: "12fa2cf52563ff068f51f2d6b1ea9dc31d17ecea7a2940b641a20d726d19ab81",
            proof: "14fbd1cb3959e115f44bea6fa483a49d797d5de5077facc56388115be5fe16fb"
        ),
        .init(
            "SHA-512-256",
            qop: "auth-int",
            first: "a6e1323b6c85a893736203f191a2e30eaa8f19ce03968020005e433459e1e787",
            second: "af22c2295ccca26a61e3e41f323b59eb4f1faba59393d3cc903e05a39105987c",
            proof: "f813b4e2361aae799cc775ebc1e154a551984e32e67a66d6d9f2314826deaea8"
        ),
        .init(
            "SHA-512-256",
            qop: nil,
            first: "ef33019279e4b75eafbad0d5cb92c1f46f782cd83907f475b3c2b119845f3213",
            second: "ef33019279e4b75eafbad0d5cb92c1f46f782cd83907f475b3c2b119845f3213",
            proof: nil
        ),
        .init(
            "SHA-512-256-sess",
            qop: "auth",
            first: "247407a81fe7613c0d5e021006cc57a051bb6867b7f160655d3172b3d3749a69",
            second: "b7fb37be7e29768260f4bbcced3bdd8070ad44dc171ff2f8f8bbd727804461b2",
            proof: "c64ee52e32a416214c8fae86e67648840d2c96b12297a17e41a0815dc7b429e9"
        ),
        .init(
            "SHA-512-256-sess",
            qop: "auth-int",
            first: "7d8257f64cb5a908b6e3e19c161b2970868c4d498507ffce4ae7f037cb2e33b1",
            second: "fc97cd93a553c4c0fb96153cbdd10d869490782c35392f75183f0fc9c099f73a",
            proof: "0ea2e4e02c805165d6cf74ff5179d4d6a2edf149d7df5f344784dc88f03492dc"
        ),
    ]

    static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    static let cnonces = ["f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "0a4f113b"]
    static let target = "/dir/index.html?q=1"
    static let body = "name=value&other=1"
    static let responseBody = "welcome\n"

    let algorithm: String
    let qop: String?
    /// The `response` parameter of the first request.
    let first: String
    /// The `response` parameter of the second request.
    ///
    /// That request has another client nonce or, with `-sess`, the same one.
    let second: String
    /// The server's proof in its response to the second request; `nil` if the response has no proof.
    let proof: String?

    init(_ algorithm: String, qop: String?, first: String, second: String, proof: String?) {
        (self.algorithm, self.qop, self.first, self.second, self.proof) = (algorithm, qop, first, second, proof)
    }

    var testDescription: String { "\(self.algorithm) \(self.qop ?? "without qop")" }

    /// The client nonce of the second request.
    ///
    /// With `-sess`, it is the nonce of the first request.
    var secondCnonce: String { Self.cnonces[self.algorithm.hasSuffix("-sess") ? 0 : 1] }

    func authorizer() throws -> Authorizer {
        let qop = self.qop.map { ", qop=\"\($0)\"" } ?? ""
        return try digestAuthorizer(
            "Digest realm=\"http-auth@example.org\", algorithm=\(self.algorithm), nonce=\"\(Self.nonce)\"\(qop)",
            user: "Mufasa",
            password: "Circle of Life"
        )
    }

    /// Returns the hash of a body; `nil` if the protection does not cover the body.
    static func hash(_ text: String, _ hasher: BodyHasher?) -> String? {
        guard var hasher else { return nil }
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.finalize()
    }
}

/// Returns an authorizer that answers a challenge of `http://example.org/`.
func digestAuthorizer(_ field: String, user: String, password: String) throws -> Authorizer {
    let challenge = try #require(try HTTPChallenge.parse([field]).first)
    return try Authorizer(
        challenge,
        Credential(user: user, password: password),
        origin: Origin(scheme: .http, host: "example.org"),
        target: "/dir/index.html"
    )
}

@Suite("RFC 7616 §3.4: algorithms")
struct DigestAlgorithmConformance {
    @Test(arguments: DigestVector.all)
    func `§3_4_1 to §3_4_3 responses are those of another implementation`(_ vector: DigestVector) throws {
        var authorizer = try vector.authorizer()
        #expect((authorizer.bodyHasher != nil) == (vector.qop == "auth-int"))
        for (index, response) in [vector.first, vector.second].enumerated() {
            let value = try authorizer.fieldValue(
                method: "POST",
                target: DigestVector.target,
                bodyHash: DigestVector.hash(DigestVector.body, authorizer.bodyHasher),
                cnonce: DigestVector.cnonces[index]
            )
            let fields = try #require(try HTTPChallenge.parse([value]).first)
            #expect(fields["response"] == response)
            #expect(fields["algorithm"] == vector.algorithm)
            #expect(fields["qop"] == vector.qop)
            #expect(fields["nc"] == vector.qop.map { _ in "0000000\(index + 1)" })
            let cnonce = index == 0 ? DigestVector.cnonces[0] : vector.secondCnonce
            #expect(fields["cnonce"] == vector.qop.map { _ in cnonce })
        }
    }

    @Test(arguments: DigestVector.all.filter { $0.proof != nil })
    func `§3_5 a server proves itself`(_ vector: DigestVector) throws {
        var authorizer = try vector.authorizer()
        let proof = try #require(vector.proof)
        for cnonce in DigestVector.cnonces {
            _ = try authorizer.fieldValue(
                method: "POST",
                target: DigestVector.target,
                bodyHash: DigestVector.hash(DigestVector.body, authorizer.bodyHasher),
                cnonce: cnonce
            )
        }
        let info = "qop=\(vector.qop ?? ""), rspauth=\"\(proof)\", cnonce=\"\(vector.secondCnonce)\", nc=00000002"
        let bodyHash = DigestVector.hash(DigestVector.responseBody, authorizer.bodyHasher)
        var fooled = authorizer
        try authorizer.received(authenticationInfo: info, responseBodyHash: bodyHash)
        let wrong = info.replacing(proof, with: String(proof.reversed()))
        #expect(throws: AuthorizationError.wrongServerProof) {
            try fooled.received(authenticationInfo: wrong, responseBodyHash: bodyHash)
        }
    }
}
