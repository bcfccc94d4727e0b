// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The hash that a downloaded file must have, as its publisher states it.
///
/// ```swift
/// guard
///     let checksum = Checksum(
///         "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
///     )
/// else { return }  // the text is not a checksum
/// ```
public struct Checksum: Hashable, Sendable {
    package let digest: TransferDigest

    /// Creates a checksum from text such as `sha256:9f86d0…`: the name of the algorithm (`sha256`, `sha512`, `sha1` or
    /// `md5`), a colon, and hexadecimal digits, all in either case.
    ///
    /// - Parameter text: The text. The result is `nil` for any other text, or another number of digits than the algorithm has.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let algorithm = HashAlgorithm(checksumName: parts[0].lowercased()),
            let digest = TransferDigest(algorithm, hexadecimal: String(parts[1]))
        else { return nil }
        self.digest = digest
    }

    /// Creates a checksum from the bytes of a hash; `nil` if the algorithm has hashes of another length.
    public init?(_ algorithm: HashAlgorithm, _ bytes: some Sequence<UInt8>) {
        guard let digest = TransferDigest(algorithm, Array(bytes)) else { return nil }
        self.digest = digest
    }
}

extension Checksum: CustomStringConvertible {
    /// The checksum as text, such as `sha256:9f86d0…`, with all digits in lower case.
    public var description: String { "\(self.digest.algorithm.checksumName):\(self.digest.hexadecimal)" }
}
