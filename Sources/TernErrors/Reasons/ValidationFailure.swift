// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The rule that a response broke, and the beginning of the response's body.
public struct ValidationFailure: Sendable {
    /// A rule that a response can break.
    @nonexhaustive
    public enum Rule: Hashable, Sendable {
        /// The status is not one of the accepted ones.
        case status(Int)
        /// The media type, without parameters, and cut if long, is not one of the accepted ones; `nil` if missing or malformed.
        case contentType(String?)
        /// The body is shorter or longer than the rule accepts: its announced length in bytes, or the number that arrived.
        case length(Int64)
        /// The named field is missing.
        case missingField(String)
        /// The response broke a custom rule; the text is the rule's name.
        case custom(String)
    }

    /// The rule that the response broke; if the response broke several rules, the first that the client found.
    public var rule: Rule
    /// The beginning of the body, as far as it arrived in time, at most `Client.Configuration.maximumErrorBodyByteCount` bytes, or
    /// nothing if its length broke a rule while it was read; no description contains it.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool

    private var concealedBody: Concealed<Data>

    /// Creates a failure with the beginning of a body, which is incomplete unless the caller says otherwise.
    public init(_ rule: Rule, body: Data = Data(), isBodyComplete: Bool = false) {
        self.rule = rule
        self.concealedBody = Concealed(body)
        self.isBodyComplete = isBodyComplete
    }
}

extension ValidationFailure: CustomStringConvertible, Described {
    package var wording: String { self.rule.description }
}

extension ValidationFailure.Rule: CustomStringConvertible, Described {
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
