// SPDX-License-Identifier: Apache-2.0
import TernRequests
import TernTransfers
import TestSupport
import Testing

@Suite("Checksum")
struct ChecksumTests {
    /// The hashes of `hello world`.
    private static let known: [(text: String, algorithm: HashAlgorithm)] = [
        ("md5:5eb63bbbe01eeed093cb22bb8f5acdc3", .md5),
        ("sha1:2aae6c35c94fcfb415dbe95f408b9ce91ee846ed", .sha1),
        ("sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9", .sha256),
        (
            "sha512:309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f"
                + "989dd35bc5ff499670da34255b45b0cfd830e81f605dcf7dc5542e93ae9cd76f",
            .sha512
        ),
    ]

    private func matches(_ checksum: Checksum, _ text: String) -> Bool {
        var hasher = TransferHasher(checksum.digest)
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.matches()
    }

    @Test(arguments: known)
    func `text is parsed, and is the description`(_ text: String, _ algorithm: HashAlgorithm) throws {
        let checksum = try #require(Checksum(text))
        #expect(checksum.description == text)
        #expect(self.matches(checksum, "hello world"))
        #expect(!self.matches(checksum, "hello worlds"))
        #expect(checksum.digest.source == .caller)
        #expect(Checksum(algorithm, checksum.digest.value) == checksum)
    }

    @Test(arguments: known)
    func `upper and lower case are equal`(_ text: String, _ algorithm: HashAlgorithm) {
        #expect(Checksum(text.uppercased()) == Checksum(text))
        #expect(Checksum(text.uppercased())?.description == text)
    }

    @Test(arguments: known)
    func `each change of one character gives another checksum, or none`(
        _ text: String,
        _ algorithm: HashAlgorithm
    ) throws {
        let checksum = try #require(Checksum(text))
        for index in text.indices {
            for other in ["g", " ", ":", "", "٣", text[index] == "0" ? "1" : "0"] {
                var changed = text
                changed.replaceSubrange(index...index, with: other)
                guard changed != text else { continue }
                #expect(Checksum(changed) != checksum, "\(changed)")
            }
        }
    }

    @Test(arguments: [
        "", ":", "sha256", "sha256:", "sha256:00", "sha-256:", "sha:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "sha-1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha384:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        ":b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "sha-256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "sha512:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9 ",
        " sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "sha256: b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "sha256::b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde",
        "sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde90",
        "sha256:0xb94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcd",
        "sha256:+94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
    ])
    func `other text is refused`(_ text: String) { #expect(Checksum(text) == nil) }

    @Test(arguments: [(HashAlgorithm.md5, 16), (.sha1, 20), (.sha256, 32), (.sha512, 64)])
    func `a hash has the length of its algorithm`(_ algorithm: HashAlgorithm, _ byteCount: Int) {
        for count in 0...65 {
            let checksum = Checksum(algorithm, repeatElement(7, count: count))
            #expect((checksum != nil) == (count == byteCount))
        }
    }
}
