// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests

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
        case requiredField(HTTPField.Name?, text: String)
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
    /// - Parameter codes: the statuses that are accepted, such as `[200, 404]` or `200..<400`.
    /// - Returns: the rule.
    public static func status(_ codes: some Sequence<Int>) -> ValidationRule {
        ValidationRule(.status(StatusSet(codes)))
    }

    /// The content has one of several media types.
    ///
    /// It holds where there is no content. Content without a readable type is within `*/*` only.
    ///
    /// - Parameter ranges: what is accepted: one type, `text/html`; all of a kind, `text/*`; all, `*/*`; or all in a format,
    ///   `application/*+json`; with the parameters that the content must have. Nothing is within a text that is none of these.
    /// - Returns: the rule.
    public static func contentType(_ ranges: String...) -> ValidationRule {
        ValidationRule(.contentType(ranges.map { MediaRange(stringLiteral: $0) }))
    }

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
    public static func requiredField(_ name: HTTPField.Name) -> ValidationRule {
        ValidationRule(.requiredField(name, text: name.rawName))
    }

    /// The response has a field, by the text of its name.
    ///
    /// - Parameter name: The name of the field, in any case. No response has a field whose name is not a token
    ///   (RFC 9110 §5.1), so with such a text the rule never holds.
    /// - Returns: The rule.
    public static func requiredField(_ name: String) -> ValidationRule {
        ValidationRule(.requiredField(HTTPField.Name(name), text: name))
    }

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

private enum ValidationOption: RequestOption {
    typealias Value = [ValidationRule]
}

extension RequestOptions {
    /// The rules for the response, in place of the client's; `nil`, the default, leaves it to the client.
    ///
    /// An empty list accepts every response.
    public var validation: [ValidationRule]? {
        get { self[ValidationOption.self] }
        set { self[ValidationOption.self] = newValue }
    }
}

extension Request {
    /// Accepts a response only if rules hold, in place of the client's rules.
    ///
    /// ```swift
    /// let request = Request(url: url).validate(.success, .contentType("application/json"))
    /// ```
    ///
    /// A response that breaks one ends the call with `ClientError.validationFailed`. Called again, it adds rules to those
    /// that the request has. The client's do not hold beside them, so that a request can accept what its client does not.
    ///
    /// - Parameter rules: the rules, looked at in order; without any, ``ValidationRule/success`` and
    ///   ``ValidationRule/accepted``. To accept every response, set `options.validation` to an empty list.
    /// - Returns: a changed copy.
    public func validate(_ rules: ValidationRule...) -> Request {
        let more = rules.isEmpty ? [.success, .accepted] : rules
        return self.with { $0.options.validation = ($0.options.validation ?? []) + more }
    }
}
