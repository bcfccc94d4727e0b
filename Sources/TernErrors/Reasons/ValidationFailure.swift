// SPDX-License-Identifier: Apache-2.0
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which rule a response broke, and what was kept of its body.
///
/// The head of the response is in the error's context.
public struct ValidationFailure: Sendable {
    /// A rule that a response can break.
    @nonexhaustive
    public enum Rule: Hashable, Sendable {
        /// The status is none of those that are accepted.
        case status(Int)
        /// The media type is none of those that are accepted; without parameters, and `nil` if there is none that can be
        /// read.
        case contentType(String?)
        /// The body is shorter or longer than is accepted; the length in bytes, as far as it is known.
        case length(Int64)
        /// The named field is missing.
        case missingField(String)
        /// A rule of the application's own, by the name that it was given.
        case custom(String)
    }

    /// The rule that was broken; the first one, if there are several.
    public var rule: Rule
    /// The beginning of the body, as far as it was kept: none of it goes into any description.
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
    ///   - rule: the rule that was broken.
    ///   - body: the beginning of the body; empty by default.
    ///   - isBodyComplete: whether that is all of it; `false` by default.
    public init(_ rule: Rule, body: Data = Data(), isBodyComplete: Bool = false) {
        self.rule = rule
        self.concealedBody = Concealed(body)
        self.isBodyComplete = isBodyComplete
    }
}

extension ValidationFailure: CustomStringConvertible, Described {
    /// The rule, in a few words.
    package var wording: String { self.rule.description }
}

extension ValidationFailure.Rule: CustomStringConvertible, Described {
    /// What is wrong with the response, in a few words.
    package var wording: String {
        switch self {
        case .status(let code): "the status is \(code)"
        case .contentType(let type?): "the media type is \(ForeignText.shown(type))"
        case .contentType(nil): "the media type is missing or cannot be read"
        case .length(let length): "the length is \(length) bytes"
        case .missingField(let name): "the field '\(ForeignText.shown(name))' is missing"
        case .custom(let name): "the rule '\(ForeignText.shown(name))' is broken"
        }
    }
}
