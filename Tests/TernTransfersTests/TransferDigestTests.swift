// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import TestSupport
import Testing

@Suite("TransferDigest")
struct TransferDigestTests {
    /// The digests of `hello world`.
    private static let known: [(HashAlgorithm, String)] = [
        (.md5, "5eb63bbbe01eeed093cb22bb8f5acdc3"),
        (.sha1, "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed"),
        (.sha256, "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
        (
            .sha512,
            "309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f989dd35bc5ff499670da34255b45b0cfd830e81f605dcf7dc5542e93ae9cd76f"
        ),
    ]

    @Test(arguments: known)
    func `content matches its digest, wherever it was cut`(_ algorithm: HashAlgorithm, _ digits: String) {
        let digest = Samples.required(TransferDigest(algorithm, hexadecimal: digits))
        #expect(digest.hexadecimal == digits)
        #expect(TransferDigest(algorithm, hexadecimal: digits.uppercased()) == digest)
        for pieces in everySplit(of: Array("hello world".utf8)) {
            var hasher = TransferHasher(digest)
            for piece in pieces { piece.withUnsafeBytes { hasher.update($0) } }
            #expect(hasher.matches())
            [UInt8](" ".utf8).withUnsafeBytes { hasher.update($0) }
            #expect(!hasher.matches())
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `a digest of another length or with other characters is refused`(_ algorithm: HashAlgorithm) {
        let right = String(repeating: "0a", count: algorithm.byteCount)
        #expect(TransferDigest(algorithm, hexadecimal: right) != nil)
        for wrong in ["", "0", String(right.dropLast()), String(right.dropLast(2)), right + "0", right + "00"] {
            #expect(TransferDigest(algorithm, hexadecimal: wrong) == nil)
        }
        for ending in ["+a", "-1", "0g", "0x", " a", "é", "٣٣"] {
            #expect(TransferDigest(algorithm, hexadecimal: right.dropLast(2) + ending) == nil)
        }
        #expect(TransferDigest(algorithm, [UInt8](repeating: 0, count: algorithm.byteCount - 1)) == nil)
    }

    private static let sha256 = "sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:"
    private static let sha512 =
        "sha-512=:MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw==:"

    @Test(
        arguments: [
            ([.reprDigest: sha256], true, .sha256),
            ([.reprDigest: sha256], false, .sha256),
            ([.contentDigest: sha512], true, .sha512),
            // The content of a part has another digest than the whole.
            ([.contentDigest: sha256], false, nil),
            ([.reprDigest: "\(sha512), \(sha256)"], true, .sha256),
            ([.reprDigest: sha512, .contentDigest: sha256], true, .sha512),
            ([.reprDigest: "sha-256=AAAA", .contentDigest: sha256], true, .sha256),
            ([.reprDigest: "sha-256=AAAA"], true, nil),
            ([.reprDigest: "md5=:XrY7u+Ae7tCTyyK7j1rNww==:"], true, nil),
            ([.reprDigest: "sha=:Kq5sNclPz7QV2+lfQIuc6R7oRu0=:"], true, nil),
            ([:], true, nil),
        ] as [(HTTPFields, Bool, HashAlgorithm?)]
    )
    func `the digest of a response is that of the whole file`(
        _ fields: HTTPFields,
        _ isWhole: Bool,
        _ algorithm: HashAlgorithm?
    ) {
        let digest = TransferDigest(fields, isWhole: isWhole)
        #expect(digest?.algorithm == algorithm)
        guard let algorithm else { return }
        #expect(digest?.source == .server)
        #expect(digest?.hexadecimal == Self.known.first { $0.0 == algorithm }?.1)
    }
}

extension HTTPField.Name {
    static let reprDigest = Samples.required(HTTPField.Name("Repr-Digest"))
    static let contentDigest = Samples.required(HTTPField.Name("Content-Digest"))
}
