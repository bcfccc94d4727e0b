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

/// The statuses that are accepted.
///
/// ```swift
/// let set = StatusSet.success.union([304, 404])
/// ```
public struct StatusSet: Hashable, Sendable {
    private var codes: Set<Int>

    /// Creates a set.
    ///
    /// - Parameter codes: the statuses.
    public init(_ codes: some Sequence<Int>) { self.codes = Set(codes) }

    /// Creates a set of all in a range, such as `200..<300`.
    ///
    /// - Parameter range: the statuses; what is outside of 100 to 999, which no response has, is left out.
    public init(_ range: Range<Int>) { self.codes = Set(range.clamped(to: 100..<1000)) }

    /// Creates a set of all in a closed range, such as `200...204`.
    ///
    /// - Parameter range: the statuses; what is outside of 100 to 999, which no response has, is left out.
    public init(_ range: ClosedRange<Int>) {
        self.codes = range.overlaps(100...999) ? Set(range.clamped(to: 100...999)) : []
    }

    /// 2xx: "the client's request was successfully received, understood, and accepted" (RFC 9110 §15.3).
    public static let success = StatusSet(200..<300)

    /// Whether a status is accepted.
    ///
    /// - Parameter code: the status.
    /// - Returns: `true` if it is in the set.
    public func contains(_ code: Int) -> Bool { self.codes.contains(code) }

    /// The statuses of both sets.
    ///
    /// - Parameter other: the other set.
    /// - Returns: a changed copy.
    public func union(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.union(other.codes)) }

    /// The statuses that are not in another set.
    ///
    /// - Parameter other: what is not accepted.
    /// - Returns: a changed copy.
    public func subtracting(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.subtracting(other.codes)) }
}

extension StatusSet: ExpressibleByArrayLiteral {
    /// Creates a set of the listed statuses.
    public init(arrayLiteral codes: Int...) { self.init(codes) }
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
