// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import Testing

@Suite("ChallengeRanking")
struct ChallengeRankingTests {
    static let rows: [(String, [String])] = [
        ("Basic realm=a", ["Basic a"]),
        ("Basic realm=a, Bearer realm=b", ["Bearer b", "Basic a"]),
        ("Basic realm=a, Digest realm=b, nonce=n, Bearer realm=c", ["Basic a", "Digest b", "Bearer c"].reversed()),
        (
            "Digest realm=a, nonce=n, Digest realm=b, nonce=n, algorithm=SHA-512-256, Digest realm=c, nonce=n, algorithm=SHA-256",
            ["Digest b", "Digest c", "Digest a"]
        ),
        ("Digest realm=a, nonce=n, algorithm=MD5-sess, qop=auth, Digest realm=b, nonce=n", ["Digest a", "Digest b"]),
        ("Basic realm=a, Basic realm=b, Basic realm=c", ["Basic a", "Basic b", "Basic c"]),
        ("Negotiate, Basic realm=a, Newauth realm=b", ["Basic a"]),
        ("Negotiate, NTLM", []),
        ("Digest realm=a", []),
        ("Digest nonce=n", []),
        ("Digest realm=a, nonce=n, algorithm=SHA-1, Basic realm=b", ["Basic b"]),
        ("Digest realm=a, nonce=n, qop=\"auth-conf\", Basic realm=b", ["Basic b"]),
        ("Basic", ["Basic -"]),
        ("", []),
    ]

    @Test(arguments: rows)
    func `the strongest comes first, equal ones in the order of the server`(_ field: String, _ order: [String]) throws {
        let ranked = ChallengeRanking.strongestFirst(try HTTPChallenge.parse([field]))
        #expect(ranked.map { "\($0.scheme) \($0.realm ?? "-")" } == order)
    }
}
