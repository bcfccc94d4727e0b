// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a body or a file failed the check of its digest (RFC 9530).
@nonexhaustive
public enum DigestFailure: Error, Hashable, Sendable {
    /// The digest of the data, by an `algorithm` such as `sha-256`, differs from the one in a `field` of the response.
    ///
    /// The text `field` names `Content-Digest`, `Repr-Digest` or both.
    case mismatch(algorithm: String, field: String)
    /// The digest of the file, by an `algorithm` such as `sha-256` or `md5`, differs from the one that the caller expects.
    case unexpected(algorithm: String)
    /// The request or the client requires a digest, and the response has none that the client can check.
    case missing
    /// The named field breaks the grammar (RFC 9651 §4.2), is too long, or contains a digest of the wrong length.
    case malformed(field: String)
}

extension DigestFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .mismatch(let algorithm, let field): "the \(algorithm) digest of the body differs from the one in \(field)"
        case .unexpected(let algorithm): "the \(algorithm) digest of the file differs from the expected one"
        case .missing: "the server sent no digest that the client can check"
        case .malformed(let field): "the field \(field) is malformed"
        }
    }
}
