// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// What a response must be like to be accepted.
///
/// Several rules in a list must all hold; ``any(of:)`` wants one of its own. A rule of the application's own is made by
/// `custom`, which module `Tern` adds.
public struct ValidationRule: Hashable, Sendable {
    package indirect enum Content: Hashable, Sendable {
        case status(StatusSet)
        case contentType([MediaRange])
        case accepted
        case length(ClosedRange<Int64>)
        case requiredField(HTTPField.Name)
        case custom(CustomRule)
        case any([ValidationRule])
    }

    package let content: Content

    package init(_ content: Content) { self.content = content }

    /// The status is 2xx.
    public static let success = ValidationRule(.status(.success))

    /// The content is what the request's `Accept` field asks for (RFC 9110 §12.5.1).
    ///
    /// Of several ranges that a type is within, the most specific one counts: `text/html;q=0, */*` refuses HTML. It holds
    /// where the request has no such field, or one that cannot be read, and where there is no content.
    public static let accepted = ValidationRule(.accepted)

    /// The status is one of a set.
    ///
    /// - Parameter set: the statuses that are accepted, such as `[200, 404]`.
    /// - Returns: the rule.
    public static func status(_ set: StatusSet) -> ValidationRule { ValidationRule(.status(set)) }

    /// The content has one of several media types.
    ///
    /// It holds where there is no content. Content without a readable type is within `*/*` only.
    ///
    /// - Parameter ranges: what is accepted, such as `"application/json", "text/*"`. Nothing is within a text that is no
    ///   media range.
    /// - Returns: the rule.
    public static func contentType(_ ranges: MediaRange...) -> ValidationRule { ValidationRule(.contentType(ranges)) }

    /// The body has a length within a range.
    ///
    /// An announced length is checked before anything is read, and what comes is counted while it is read: a body that
    /// turns out longer ends there with `validationFailed`, one that turns out shorter at its end. Content that was
    /// compressed for the way counts as it is after decompression.
    ///
    /// - Parameter byteCounts: the lengths that are accepted, in bytes.
    /// - Returns: the rule.
    public static func length(_ byteCounts: ClosedRange<Int64>) -> ValidationRule {
        ValidationRule(.length(byteCounts))
    }

    /// The response has a field.
    ///
    /// - Parameter name: the name of the field.
    /// - Returns: the rule.
    public static func requiredField(_ name: HTTPField.Name) -> ValidationRule { ValidationRule(.requiredField(name)) }

    /// One of several rules holds; the failure is that of the first.
    ///
    /// A rule about the length looks only at an announced one here.
    ///
    /// - Parameter rules: the rules; without any, every response is accepted.
    /// - Returns: the rule.
    public static func any(of rules: ValidationRule...) -> ValidationRule { ValidationRule(.any(rules)) }
}

/// A rule of the application's own: equal to itself only.
package final class CustomRule: Hashable, Sendable {
    package let name: String
    package let check: @Sendable (any Sendable) async throws -> Bool

    package init(name: String, check: @escaping @Sendable (any Sendable) async throws -> Bool) {
        self.name = name
        self.check = check
    }

    package static func == (one: CustomRule, other: CustomRule) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
