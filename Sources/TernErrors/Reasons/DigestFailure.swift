// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// Why a body was not accepted that was to be checked against its digest (RFC 9530).
@nonexhaustive
public enum DigestFailure: Error, Hashable, Sendable {
    /// The body has another digest than the server sent.
    ///
    /// - `algorithm`: The algorithm by its name in RFC 9530, such as `sha-256`.
    /// - `field`: The field, `Content-Digest` or `Repr-Digest`.
    case mismatch(algorithm: String, field: String)
    /// The request wanted a digest, and the response has none of an algorithm that is known.
    case missing
    /// The named field breaks the grammar (RFC 9651 §4.2), or holds a digest of the wrong length.
    case malformed(field: String)
}

extension DigestFailure: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .mismatch(let algorithm, let field): "its \(algorithm) differs from that in \(field)"
        case .missing: "the server sent no digest that can be checked"
        case .malformed(let field): "the field \(field) cannot be read"
        }
    }
}
