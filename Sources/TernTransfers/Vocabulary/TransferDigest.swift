// SPDX-License-Identifier: Apache-2.0
import Crypto
package import HTTPTypes
import TernDigests
import TernRequests

/// The digest that the complete content of a file must have.
package struct TransferDigest: Hashable, Sendable {
    /// A hash algorithm, named as in RFC 9530 §5.
    package enum Algorithm: String, CaseIterable, Hashable, Sendable {
        /// SHA-256.
        case sha256 = "sha-256"
        /// SHA-512.
        case sha512 = "sha-512"
        /// MD5, which detects accidents but not attacks.
        ///
        /// Only callers use it, for servers that publish nothing better.
        case md5

        /// The number of bytes of a digest.
        package var byteCount: Int {
            switch self {
            case .sha256: SHA256.byteCount
            case .sha512: SHA512.byteCount
            case .md5: Insecure.MD5.byteCount
            }
        }
    }

    /// The origin of an expected digest.
    package enum Source: String, Hashable, Sendable {
        /// The caller passed it.
        case caller
        /// A response had it in `Repr-Digest`, or in the `Content-Digest` of the whole content (RFC 9530).
        case server
    }

    /// The hash algorithm.
    package let algorithm: Algorithm
    /// The bytes of the digest.
    package let value: [UInt8]
    /// The origin of the digest.
    package let source: Source

    /// Creates a digest.
    ///
    /// - Parameters:
    ///   - algorithm: The hash algorithm.
    ///   - value: The bytes. The result is `nil` if the algorithm has digests of another length.
    ///   - source: The origin of the digest. Defaults to `.caller`.
    package init?(_ algorithm: Algorithm, _ value: [UInt8], from source: Source = .caller) {
        guard value.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.value = value
        self.source = source
    }

    /// Creates a digest from hexadecimal digits.
    ///
    /// - Parameters:
    ///   - algorithm: The hash algorithm.
    ///   - digits: The digits, in lower or upper case. The result is `nil` if there are other characters, or if the
    ///     algorithm has digests of another length.
    ///   - source: The origin of the digest. Defaults to `.caller`.
    package init?(_ algorithm: Algorithm, hexadecimal digits: String, from source: Source = .caller) {
        let characters = Array(digits)
        guard characters.count == 2 * algorithm.byteCount, characters.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return nil
        }
        let value = stride(from: 0, to: characters.count, by: 2).compactMap {
            UInt8(String(characters[$0..<$0 + 2]), radix: 16)
        }
        self.init(algorithm, value, from: source)
    }

    /// Creates the digest of a whole representation from the fields of a response (RFC 9530).
    ///
    /// Ignores a malformed field: "either the entire field value MUST be ignored […], or, alternatively, the complete
    /// HTTP message MUST be treated as malformed" (RFC 9651 §4.2).
    ///
    /// - Parameters:
    ///   - fields: The header fields or trailer fields of the response. The result is `nil` if they have no digest by
    ///     SHA-256 or SHA-512.
    ///   - isWhole: Whether the content is the whole representation. `Content-Digest` counts only if it is.
    package init?(_ fields: HTTPFields, isWhole: Bool) {
        for name in isWhole ? [HTTPField.Name.reprDigest, .contentDigest] : [.reprDigest] {
            guard let digests = try? DigestField(name, in: fields).digests else { continue }
            if let value = digests[.sha256] {
                self.init(.sha256, value, from: .server)
                return
            }
            if let value = digests[.sha512] {
                self.init(.sha512, value, from: .server)
                return
            }
        }
        return nil
    }

    /// The bytes as hexadecimal digits, in lower case.
    package var hexadecimal: String { self.value.withUnsafeBytes { Hexadecimal.digits(of: $0) } }
}
