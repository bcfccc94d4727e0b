// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The rule that a response broke, and the beginning of the response's body.
///
/// The head of the response is in the error's context.
public struct ValidationFailure: Sendable {
    /// A rule that a response can break.
    @nonexhaustive
    public enum Rule: Hashable, Sendable {
        /// The status is not one of the accepted ones.
        case status(Int)
        /// The media type is not one of the accepted ones.
        ///
        /// The text is the response's media type without parameters. `nil` if the type is missing or malformed.
        case contentType(String?)
        /// The body is shorter or longer than the rule accepts.
        ///
        /// The number is the announced length in bytes. Without an announced length, it is the number of bytes that
        /// arrived before the check failed.
        case length(Int64)
        /// The named field is missing.
        case missingField(String)
        /// The response broke a custom rule; the text is the rule's name.
        case custom(String)
    }

    /// The rule that the response broke; if the response broke several rules, the first of them.
    public var rule: Rule
    /// The beginning of the body, at most `Client.Configuration.maximumErrorBodyByteCount` bytes.
    ///
    /// The client waits for these bytes for at most a second after the head of the response.
    ///
    /// No description of an error contains these bytes.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool

    private var concealedBody: Concealed<Data>

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - rule: The rule that the response broke.
    ///   - body: The beginning of the body. Defaults to no bytes.
    ///   - isBodyComplete: Whether `body` is the whole body. Defaults to `false`.
    public init(_ rule: Rule, body: Data = Data(), isBodyComplete: Bool = false) {
        self.rule = rule
        self.concealedBody = Concealed(body)
        self.isBodyComplete = isBodyComplete
    }
}

extension ValidationFailure: CustomStringConvertible, Described {
    /// A short description of the rule.
    package var wording: String { self.rule.description }
}

extension ValidationFailure.Rule: CustomStringConvertible, Described {
    /// A short description of the problem.
    package var wording: String {
        switch self {
        case .status(let code): "the status is \(code)"
        case .contentType(let type?): "the media type is \(ForeignText.shown(type))"
        case .contentType(nil): "the media type is missing or malformed"
        case .length(let length): "the length is unexpected: the server announced or sent \(Sentence.bytes(length))"
        case .missingField(let name): "the field '\(ForeignText.shown(name))' is missing"
        case .custom(let name): "the response does not satisfy the rule '\(ForeignText.shown(name))'"
        }
    }
}
