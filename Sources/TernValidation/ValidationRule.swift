// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests

/// A condition that a response must meet to be accepted.
///
/// A response must meet all rules of a list; ``any(of:)`` requires one. For a custom rule, use `custom` from the module `Tern`.
public struct ValidationRule: Hashable, Sendable {
    package indirect enum Content: Hashable, Sendable {
        case status(StatusSet)
        /// The content has one of the types; if `isRequired` is true, an empty body needs a type, too, unless the status is 204.
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
    /// For example, `text/html;q=0, */*` refuses HTML. The rule also holds if `Accept` is missing or malformed, and if the response
    /// is known to have no content.
    public static let accepted = ValidationRule(.accepted)

    /// Accepts a status from a set, such as `[200, 404]` or `200..<400`.
    public static func status(_ codes: some Sequence<Int>) -> ValidationRule {
        ValidationRule(.status(StatusSet(codes)))
    }

    /// Accepts content with one of several media types, or a response that is known to have no content.
    ///
    /// - Parameter ranges: The accepted types: one type, `text/html`; all subtypes of a type, `text/*`; all types, `*/*`, which
    ///   content without a valid type also matches; or all types with a suffix, `application/*+json`. The content's type must have
    ///   the parameters of an accepted type. Any other text matches no type.
    /// - Returns: The rule.
    public static func contentType(_ ranges: String...) -> ValidationRule {
        ValidationRule(.contentType(ranges.map { MediaRange(stringLiteral: $0) }, isRequired: false))
    }

    /// Accepts only responses of one media type, even if the body is empty, except with the status 204.
    package static func requiredContentType(_ range: MediaRange) -> ValidationRule {
        ValidationRule(.contentType([range], isRequired: true))
    }

    /// Accepts a body with a length in a range, in bytes as the caller gets them.
    ///
    /// The client checks an announced length first, and then counts what it reads. It throws `validationFailed` as soon as the
    /// body is too long, or at the end of a body that is too short. A response to `HEAD`, or with a status that allows no content,
    /// such as 204, meets the rule.
    ///
    /// - Parameter byteCounts: The accepted lengths.
    /// - Returns: The rule.
    public static func length(_ byteCounts: ClosedRange<Int64>) -> ValidationRule {
        ValidationRule(.length(byteCounts))
    }

    /// Requires that the response has a field.
    public static func requiredField(_ name: HTTPField.Name) -> ValidationRule {
        ValidationRule(.requiredField(name, text: name.rawName))
    }

    /// Requires that the response has a field, whose name is given as text; a text that is not a name never matches.
    public static func requiredField(_ name: String) -> ValidationRule {
        ValidationRule(.requiredField(HTTPField.Name(name), text: name))
    }

    /// Accepts a response that meets at least one of several rules.
    ///
    /// If the response meets none of the rules, the failure is that of the first. A length rule checks only an announced length.
    ///
    /// - Parameter rules: The rules. An empty list accepts every response.
    /// - Returns: The rule.
    public static func any(of rules: ValidationRule...) -> ValidationRule { ValidationRule(.any(rules)) }
}

/// A rule that the application wrote as a closure, equal only to itself.
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
    /// The rules that replace the client's rules; `nil` replaces none, and some calls, such as those for events, add a rule.
    public var validation: [ValidationRule]? {
        get { self[ValidationOption.self] }
        set { self[ValidationOption.self] = newValue }
    }
}

extension Request {
    /// Adds rules that the response must meet, or else the call usually throws `ClientError.validationFailed`.
    ///
    /// The rules of a request replace the client's rules. A second use of this method adds its rules to those of the first.
    ///
    /// ```swift
    /// let request = Request(url: url).validate(.success, .contentType("application/json"))
    /// ```
    ///
    /// - Parameter rules: The rules, checked in order. An empty list adds ``ValidationRule/success`` and
    ///   ``ValidationRule/accepted``. To drop the client's rules without others, set `options.validation` to an empty array.
    /// - Returns: A changed copy.
    public func validate(_ rules: ValidationRule...) -> Request {
        let more = rules.isEmpty ? [.success, .accepted] : rules
        return self.with { $0.options.validation = ($0.options.validation ?? []) + more }
    }
}
