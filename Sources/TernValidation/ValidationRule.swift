// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests

/// A condition that a response must meet to be accepted.
///
/// A response must meet all rules of a list. To require only one of several rules, use ``any(of:)``. To write your own
/// rule, use `custom` from the module `Tern`.
public struct ValidationRule: Hashable, Sendable {
    package indirect enum Content: Hashable, Sendable {
        case status(StatusSet)
        /// The content has one of the types. If `isRequired` is true, an empty body needs a type, too.
        case contentType([MediaRange], isRequired: Bool)
        case accepted
        case length(ClosedRange<Int64>)
        case requiredField(HTTPField.Name?, text: String)
        case custom(CustomRule)
        case any([ValidationRule])
    }

    package let content: Content

    package init(_ content: Content) { self.content = content }

    /// Accepts a status of 2xx.
    public static let success = ValidationRule(.status(.success))

    /// Accepts content that the request's `Accept` field asks for (RFC 9110 §12.5.1).
    ///
    /// If several ranges of the field contain the type, the most specific range counts: `text/html;q=0, */*` refuses
    /// HTML. The rule also holds if the request's `Accept` field is missing or malformed, and if the response has no
    /// content.
    public static let accepted = ValidationRule(.accepted)

    /// Accepts a status from a set.
    ///
    /// - Parameter codes: The accepted statuses, such as `[200, 404]` or `200..<400`.
    /// - Returns: The rule.
    public static func status(_ codes: some Sequence<Int>) -> ValidationRule {
        ValidationRule(.status(StatusSet(codes)))
    }

    /// Accepts content with one of several media types.
    ///
    /// The rule also holds if the response has no content. Content without a valid type matches only `*/*`.
    ///
    /// - Parameter ranges: The accepted types: one type, `text/html`; all subtypes of a type, `text/*`; all types,
    ///   `*/*`; or all types of a format, `application/*+json`. If an accepted type has parameters, the content's type
    ///   must have them too. Any other text matches no type.
    /// - Returns: The rule.
    public static func contentType(_ ranges: String...) -> ValidationRule {
        ValidationRule(.contentType(ranges.map { MediaRange(stringLiteral: $0) }, isRequired: false))
    }

    /// Accepts only responses of one media type, even if the body is empty.
    ///
    /// Only a response with the status 204 needs no type.
    ///
    /// - Parameter range: The accepted type.
    /// - Returns: The rule.
    package static func requiredContentType(_ range: MediaRange) -> ValidationRule {
        ValidationRule(.contentType([range], isRequired: true))
    }

    /// Accepts a body with a length in a range.
    ///
    /// The client checks an announced length before it reads the body, and counts the bytes while it reads. The call
    /// fails with `validationFailed` as soon as the body is too long, or at the end of a body that is too short.
    /// Compressed content counts with its length after decompression.
    ///
    /// - Parameter byteCounts: The accepted lengths, in bytes.
    /// - Returns: The rule.
    public static func length(_ byteCounts: ClosedRange<Int64>) -> ValidationRule {
        ValidationRule(.length(byteCounts))
    }

    /// Requires that the response has a field.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The rule.
    public static func requiredField(_ name: HTTPField.Name) -> ValidationRule {
        ValidationRule(.requiredField(name, text: name.rawName))
    }

    /// Requires that the response has a field, whose name is given as text.
    ///
    /// - Parameter name: The name of the field, in any case. If the text is not a token (RFC 9110 §5.1), the rule never
    ///   holds, because no response has such a field.
    /// - Returns: The rule.
    public static func requiredField(_ name: String) -> ValidationRule {
        ValidationRule(.requiredField(HTTPField.Name(name), text: name))
    }

    /// Accepts a response that meets one of several rules.
    ///
    /// If the response meets none of the rules, the failure is that of the first rule. A length rule in this list
    /// checks only an announced length.
    ///
    /// - Parameter rules: The rules. An empty list accepts every response.
    /// - Returns: The rule.
    public static func any(of rules: ValidationRule...) -> ValidationRule { ValidationRule(.any(rules)) }
}

/// A rule that the application wrote as a closure.
///
/// Each instance is equal only to itself.
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
    /// The rules for the response, which replace the client's rules.
    ///
    /// Defaults to `nil`, which uses the client's rules. An empty list accepts every response.
    public var validation: [ValidationRule]? {
        get { self[ValidationOption.self] }
        set { self[ValidationOption.self] = newValue }
    }
}

extension Request {
    /// Adds rules that the response must meet.
    ///
    /// The rules of a request replace the client's rules, so a request can accept a response that its client would
    /// refuse.
    ///
    /// ```swift
    /// let request = Request(url: url).validate(.success, .contentType("application/json"))
    /// ```
    ///
    /// If a response breaks a rule, the call throws `ClientError.validationFailed`. A second use of this method adds
    /// its rules to those of the first.
    ///
    /// - Parameter rules: The rules, checked in order. An empty list adds ``ValidationRule/success`` and
    ///   ``ValidationRule/accepted``. To accept every response, set `options.validation` to an empty array.
    /// - Returns: A changed copy.
    public func validate(_ rules: ValidationRule...) -> Request {
        let more = rules.isEmpty ? [.success, .accepted] : rules
        return self.with { $0.options.validation = ($0.options.validation ?? []) + more }
    }
}
