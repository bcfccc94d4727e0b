// SPDX-License-Identifier: Apache-2.0

/// The hash that a downloaded file must have, as its publisher states it.
///
/// ```swift
/// guard
///     let checksum = Checksum(
///         "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
///     )
/// else { return }  // without a checksum, a download accepts any file
/// ```
public struct Checksum: Hashable, Sendable {
    /// A hash algorithm.
    @nonexhaustive
    public enum Algorithm: String, CaseIterable, Hashable, Sendable {
        /// SHA-256.
        case sha256
        /// SHA-512.
        case sha512
        /// MD5, which detects accidents but no attacks; for publishers that state nothing better.
        case md5
    }

    package let digest: TransferDigest

    /// Creates a checksum from text such as `sha256:9f86d0…`: the name of the algorithm, a colon, and hexadecimal digits in
    /// either case.
    ///
    /// - Parameter text: The text. The result is `nil` for an unknown algorithm, another number of digits, or other characters.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let algorithm = Algorithm(rawValue: parts[0].lowercased()),
            let digest = TransferDigest(algorithm.transferAlgorithm, hexadecimal: String(parts[1]))
        else { return nil }
        self.digest = digest
    }

    /// Creates a checksum from the bytes of a hash; `nil` if the algorithm has hashes of another length.
    public init?(_ algorithm: Algorithm, _ bytes: some Sequence<UInt8>) {
        guard let digest = TransferDigest(algorithm.transferAlgorithm, Array(bytes)) else { return nil }
        self.digest = digest
    }
}

extension Checksum: CustomStringConvertible {
    /// The checksum as text, such as `sha256:9f86d0…`, with all digits in lower case.
    public var description: String {
        let algorithm = Algorithm.allCases.first { $0.transferAlgorithm == self.digest.algorithm }
        return "\(algorithm?.rawValue ?? ""):\(self.digest.hexadecimal)"
    }
}

extension Checksum.Algorithm {
    fileprivate var transferAlgorithm: TransferDigest.Algorithm {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        case .md5: .md5
        }
    }
}
