// SPDX-License-Identifier: Apache-2.0
import TernRequests
import Testing

@Suite("HashAlgorithm")
struct HashAlgorithmTests {
    /// Records of transfers on the disk contain both names, so they must never change.
    @Test(
        arguments: [
            (.sha256, "sha-256", "sha256", 32), (.sha512, "sha-512", "sha512", 64), (.sha1, "sha-1", "sha1", 20),
            (.md5, "md5", "md5", 16),
        ] as [(HashAlgorithm, String, String, Int)]
    )
    func `each algorithm has fixed names`(
        _ algorithm: HashAlgorithm,
        _ name: String,
        _ checksumName: String,
        _ byteCount: Int
    ) {
        #expect(algorithm.rawValue == name)
        #expect(algorithm.checksumName == checksumName)
        #expect(HashAlgorithm(checksumName: checksumName) == algorithm)
        #expect(algorithm.byteCount == byteCount)
    }

    @Test(arguments: ["", "sha-256", "SHA256", "sha", "sha384", "crc32"])
    func `other names are none`(_ name: String) { #expect(HashAlgorithm(checksumName: name) == nil) }
}
