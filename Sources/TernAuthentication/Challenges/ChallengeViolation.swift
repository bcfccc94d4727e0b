// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A rule of the grammar of authentication fields that a server's field broke (RFC 9110 §11).
///
/// Every case is one rule, with the ``section`` that states it. Places are offsets in bytes into the
/// field value at fault. No case holds received bytes, so a violation is safe to log.
@nonexhaustive
public enum ChallengeViolation: Error, Hashable, Sendable {
    /// The field values are longer together than this many bytes.
    case tooLong(limit: Int)
    /// There are more challenges than this.
    case tooManyChallenges(limit: Int)
    /// A challenge has more parameters than this.
    case tooManyParameters(limit: Int)
    /// A parameter comes twice in a challenge, so that two readers might take different ones.
    case repeatedParameter(at: Int)
    /// A parameter belongs to no challenge.
    case parameterWithoutScheme(at: Int)
    /// A quoted string has no end.
    case unterminatedString(at: Int)
    /// A quoted string holds a control character.
    case invalidString(at: Int)
    /// Something stands where the grammar has no place for it.
    case malformed(at: Int)
}

extension ChallengeViolation {
    /// The document and section that state the rule, such as `"RFC 9110 §11.2"`.
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

    /// What was wrong, in one sentence; its wording may change.
    public var reason: String {
        switch self {
        case .tooLong(let limit): "The challenges are longer than \(limit) bytes."
        case .tooManyChallenges(let limit): "There are more than \(limit) challenges."
        case .tooManyParameters(let limit): "A challenge has more than \(limit) parameters."
        case .repeatedParameter(let offset): "The parameter at byte \(offset) comes a second time."
        case .parameterWithoutScheme(let offset): "The parameter at byte \(offset) belongs to no challenge."
        case .unterminatedString(let offset): "The quoted string at byte \(offset) has no end."
        case .invalidString(let offset): "The quoted string at byte \(offset) holds what it must not."
        case .malformed(let offset): "What stands at byte \(offset) is out of place."
        }
    }
}

extension ChallengeViolation: CustomStringConvertible {
    /// The reason, then the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension ChallengeViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.reason }
}
