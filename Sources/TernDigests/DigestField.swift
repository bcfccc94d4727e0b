// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The value of a `Content-Digest` or `Repr-Digest` field: digests by algorithm (RFC 9530 §2, §3).
package struct DigestField: Hashable, Sendable {
    /// The digests by algorithm; of a received field, only those by algorithms in `HashAlgorithm.active`.
    package let digests: [HashAlgorithm: [UInt8]]

    package init(_ digests: [HashAlgorithm: [UInt8]]) { self.digests = digests }

    /// Throws: "If parsing fails, either the entire field value MUST be ignored …, or, alternatively, the complete HTTP message
    /// MUST be treated as malformed" (RFC 9651 §4.2).
    package init(parsing lines: [[UInt8]]) throws(DigestViolation) {
        let members = try ByteSequenceDictionary(lines).members
        var digests: [HashAlgorithm: [UInt8]] = [:]
        for algorithm in HashAlgorithm.active {
            guard let digest = members[algorithm.fieldKey] else { continue }
            guard digest.count == algorithm.byteCount else { throw .wrongLength(algorithm) }
            digests[algorithm] = digest
        }
        self.digests = digests
    }

    package init(_ name: HTTPField.Name, in fields: HTTPFields) throws(DigestViolation) {
        try self.init(parsing: fields[fields: name].map { $0.withUnsafeBytesOfValue { Array($0) } })
    }

    /// The value of the field; the order of the algorithms is always the same.
    package var text: String {
        HashAlgorithm.allCases.compactMap { algorithm in
            self.digests[algorithm].map { "\(algorithm.fieldKey)=:\(Base64.encoded($0)):" }
        }.joined(separator: ", ")
    }
}

extension HashAlgorithm {
    /// The algorithms whose digests the client checks: a deprecated one must not be used "in a potentially adversarial setting"
    /// (RFC 9530 §5).
    package static let active: [HashAlgorithm] = [.sha256, .sha512]

    /// The key in the registry of RFC 9530 §7.2.
    fileprivate var fieldKey: String { self == .sha1 ? "sha" : self.rawValue }
}

extension HTTPField.Name {
    /// RFC 9530 §2.
    package static let contentDigest = Self.known("Content-Digest")
    /// RFC 9530 §3.
    package static let reprDigest = Self.known("Repr-Digest")
    /// RFC 9530 §4.
    package static let wantContentDigest = Self.known("Want-Content-Digest")

    private static func known(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) must be a valid field name") }
        return name
    }
}
