// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a body failed the check against its digest (RFC 9530).
@nonexhaustive
public enum DigestFailure: Error, Hashable, Sendable {
    /// The digest of the body differs from the one that the server sent.
    ///
    /// - `algorithm`: The name of the algorithm in RFC 9530, such as `sha-256`.
    /// - `field`: The name of the field, `Content-Digest` or `Repr-Digest`; both names for a download that continues,
    ///   because its record does not keep the name.
    case mismatch(algorithm: String, field: String)
    /// The digest of the body differs from the one that the caller expects.
    ///
    /// - `algorithm`: The name of the algorithm in RFC 9530, such as `sha-256`, or `md5`.
    case unexpected(algorithm: String)
    /// The request or the client requires a digest, and the response has none with a supported algorithm.
    case missing
    /// The named field breaks the grammar (RFC 9651 §4.2), or contains a digest of the wrong length.
    case malformed(field: String)
}

extension DigestFailure: CustomStringConvertible, Described {
    /// A short description of what happened.
    package var wording: String {
        switch self {
        case .mismatch(let algorithm, let field): "the \(algorithm) digest of the body differs from the one in \(field)"
        case .unexpected(let algorithm): "the \(algorithm) digest of the file differs from the expected one"
        case .missing: "the server sent no digest that the client can check"
        case .malformed(let field): "the field \(field) is malformed"
        }
    }
}
