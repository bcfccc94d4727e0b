// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// A rule that the value of a digest field breaks, without received bytes.
package enum DigestViolation: Error, Hashable, Sendable {
    /// The lines of the field, joined with commas and spaces, are longer than this number of bytes.
    case tooLong(limit: Int)
    case tooManyMembers(limit: Int)
    /// A member does not begin with a lower-case letter or an asterisk.
    case invalidKey
    /// After a member comes text other than a comma, or a comma with nothing but blanks after it.
    case invalidSeparator
    case notByteSequence
    /// A byte sequence is not closed, or is not Base64.
    case invalidByteSequence
    case invalidParameter
    case wrongLength(HashAlgorithm)

    /// The document and section that state the rule.
    package var section: String {
        switch self {
        case .tooLong, .tooManyMembers: "RFC 9110 §5.4"
        case .invalidKey: "RFC 9651 §4.2.3.3"
        case .invalidSeparator: "RFC 9651 §4.2.2"
        case .notByteSequence: "RFC 9530 §2"
        case .invalidByteSequence: "RFC 9651 §4.2.7"
        case .invalidParameter: "RFC 9651 §4.2.3.2"
        case .wrongLength: "RFC 9530 §5"
        }
    }
}
