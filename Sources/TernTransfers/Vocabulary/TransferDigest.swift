// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import TernDigests
package import TernRequests

package struct TransferDigest: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable {
        case caller
        /// From `Repr-Digest`, or from the `Content-Digest` of the whole content (RFC 9530).
        case server
    }

    package let algorithm: HashAlgorithm
    package let value: [UInt8]
    package let source: Source

    /// Returns `nil` if the algorithm has digests of another length.
    package init?(_ algorithm: HashAlgorithm, _ value: [UInt8], from source: Source = .caller) {
        guard value.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.value = value
        self.source = source
    }

    /// Returns `nil` if there are other characters, or if the algorithm has digests of another length.
    package init?(_ algorithm: HashAlgorithm, hexadecimal digits: String, from source: Source = .caller) {
        let characters = Array(digits)
        guard characters.count == 2 * algorithm.byteCount, characters.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return nil
        }
        let value = stride(from: 0, to: characters.count, by: 2).compactMap {
            UInt8(String(characters[$0..<$0 + 2]), radix: 16)
        }
        self.init(algorithm, value, from: source)
    }

    /// Creates the digest of a whole representation (RFC 9530), for which `Content-Digest` counts only if the content `isWhole`;
    /// ignores a malformed field: "either the entire field value MUST be ignored […]" (RFC 9651 §4.2).
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

    package var hexadecimal: String { self.value.withUnsafeBytes { Hexadecimal.digits(of: $0) } }
}
