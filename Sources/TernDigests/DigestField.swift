// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The value of a `Content-Digest` or `Repr-Digest` field: digests by algorithm (RFC 9530 §2, §3).
package struct DigestField: Hashable, Sendable {
    /// The digests by supported algorithm; others are left out.
    package let digests: [HashAlgorithm: [UInt8]]

    package init(_ digests: [HashAlgorithm: [UInt8]]) { self.digests = digests }

    /// Throws: "If parsing fails, either the entire field value MUST be ignored …, or, alternatively, the complete HTTP message
    /// MUST be treated as malformed" (RFC 9651 §4.2).
    package init(parsing lines: [[UInt8]]) throws(DigestViolation) {
        let members = try ByteSequenceDictionary(lines).members
        var digests: [HashAlgorithm: [UInt8]] = [:]
        for algorithm in HashAlgorithm.allCases {
            guard let digest = members[algorithm.rawValue] else { continue }
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
            self.digests[algorithm].map { "\(algorithm.rawValue)=:\(Base64.encoded($0)):" }
        }.joined(separator: ", ")
    }
}

extension HashAlgorithm {
    var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        }
    }
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
