// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// A rule that an authentication field of a server or a proxy breaks (RFC 9110 §11).
///
/// `Authentication-Info` counts as one challenge. Offsets are in bytes, from the beginning of the field value. A violation is safe
/// to log: it contains no received bytes.
@nonexhaustive
public enum ChallengeViolation: Error, Hashable, Sendable {
    /// The field values together are longer than this number of bytes.
    case tooLong(limit: Int)
    /// The response has more than this number of challenges.
    case tooManyChallenges(limit: Int)
    /// A challenge has more than this number of parameters.
    case tooManyParameters(limit: Int)
    /// A parameter occurs twice in a challenge, so that two parsers might use different values.
    case repeatedParameter(at: Int)
    /// A parameter comes before the first challenge of its field value, or after a challenge that cannot have parameters.
    case parameterWithoutScheme(at: Int)
    /// A quoted string has no closing quote.
    case unterminatedString(at: Int)
    /// A quoted string contains an ASCII control character other than a tab.
    case invalidString(at: Int)
    /// The field value breaks the grammar at this offset.
    case malformed(at: Int)
}

extension ChallengeViolation {
    /// The document and section about the rule, such as `"RFC 9110 §11.2"`.
    public var section: String {
        switch self {
        case .tooLong: "RFC 9110 §5.4"
        case .tooManyChallenges, .tooManyParameters: "RFC 9110 §17.5"
        case .repeatedParameter: "RFC 9110 §11.2"
        case .parameterWithoutScheme: "RFC 9110 §11.3"
        case .unterminatedString, .invalidString: "RFC 9110 §5.6.4"
        case .malformed: "RFC 9110 §11.6.1"
        }
    }

    /// A sentence that says what was wrong; its wording may change.
    public var reason: String {
        switch self {
        case .tooLong(let limit): "The server's challenges are longer than \(limit) bytes."
        case .tooManyChallenges(let limit): "The server sent more than \(limit) challenges."
        case .tooManyParameters(let limit): "A challenge has more than \(limit) parameters."
        case .repeatedParameter(let offset): "The challenge repeats a parameter at byte \(offset)."
        case .parameterWithoutScheme(let offset): "The parameter at byte \(offset) does not belong to a challenge."
        case .unterminatedString(let offset): "The quoted string at byte \(offset) has no closing quote."
        case .invalidString(let offset): "The quoted string at byte \(offset) contains a control character."
        case .malformed(let offset): "The challenge contains text at byte \(offset) that is not allowed there."
        }
    }
}

extension ChallengeViolation: CustomStringConvertible, Described {
    package var wording: String { "\(self.reason) (\(self.section))" }
}

extension ChallengeViolation: LocalizedError, Explained {
    package var sentence: String { self.reason }
}
