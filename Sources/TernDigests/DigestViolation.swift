// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// A rule that the value of a digest field breaks.
///
/// Closed on purpose: every case is one rule, with the section that states it. None holds received bytes.
package enum DigestViolation: Error, Hashable, Sendable {
    /// All lines of the field together are longer than the limit, in bytes.
    case tooLong(limit: Int)
    /// There are more members than the limit.
    case tooManyMembers(limit: Int)
    /// A key does not begin with a lower-case letter or an asterisk.
    case invalidKey
    /// Members are not separated by one comma each, or the last is followed by one.
    case invalidSeparator
    /// A member is not a byte sequence.
    case notByteSequence
    /// A byte sequence is not closed, or is not Base64.
    case invalidByteSequence
    /// A parameter cannot be read.
    case invalidParameter
    /// The digest of an algorithm that is known has another length than the algorithm gives.
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
