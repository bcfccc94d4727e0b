// SPDX-License-Identifier: Apache-2.0
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why the body of a response could not be decoded as a value, and what was kept of it.
public struct DecodingFailure: Sendable {
    /// What is wrong with the body.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// There is no body, and the type has no value that stands for that.
        case emptyBody
        /// A member that the type needs is missing.
        case keyNotFound
        /// A member is there but has no value.
        case valueNotFound
        /// A value is of another type than the one that is wanted.
        case typeMismatch
        /// The body, or a value in it, cannot be read at all.
        case corrupted
        /// The decoder threw something else; the text is the error's type, not its content.
        case other(type: String)
    }

    /// What is wrong.
    public var reason: Reason
    /// Where, as names of the type's own members and numbers of elements, such as `users[3].name`; empty at the top.
    ///
    /// The keys of a dictionary, and others that the program does not name by an enumeration, are content: each is
    /// written as `*`.
    public var path: String
    /// The name of the type that the body was to be decoded as.
    public var type: String
    /// The name of the type that the value at ``path`` was to be decoded as; `nil` where the decoder did not name one.
    public var expectedType: String?
    /// The kind of value that was found there instead, such as "a string" or "null"; `nil` where the decoder did not tell.
    ///
    /// It is one of a few words, never a part of the body.
    public var foundType: String?
    /// The error that the decoder threw, as a rule a `DecodingError`; `nil` for an empty body.
    ///
    /// Its own description may quote the body, so neither `description` nor `dump` shows it.
    public var underlyingError: (any Error)? {
        get { self.concealedError.value }
        set { self.concealedError.value = newValue }
    }
    /// The beginning of the body, as far as it was kept: none of it goes into any description.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool

    private var concealedError: Concealed<(any Error)?>
    private var concealedBody: Concealed<Data>

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - reason: what is wrong.
    ///   - path: where; at the top by default.
    ///   - type: the name of the type that was wanted.
    ///   - body: the beginning of the body; empty by default.
    ///   - isBodyComplete: whether that is all of it; `true` by default.
    package init(_ reason: Reason, path: String = "", type: String, body: Data = Data(), isBodyComplete: Bool = true) {
        self.reason = reason
        self.path = path
        self.type = type
        self.concealedError = Concealed(nil)
        self.concealedBody = Concealed(body)
        self.isBodyComplete = isBodyComplete
    }
}

extension DecodingFailure {
    /// Creates a failure from what a decoder threw.
    ///
    /// - Parameters:
    ///   - error: The error, which ``underlyingError`` keeps.
    ///   - type: The type that the body was to be decoded as.
    package init(_ error: any Error, decoding type: Any.Type) {
        let reason: Reason
        var path: [any CodingKey] = []
        var types: (expected: Any.Type?, found: String?) = (nil, nil)
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            (reason, path) = (.keyNotFound, context.codingPath + [key])
        case DecodingError.valueNotFound(let expected, let context):
            (reason, path, types) = (.valueNotFound, context.codingPath, (expected, "null"))
        case DecodingError.typeMismatch(let expected, let context):
            (reason, path, types) = (.typeMismatch, context.codingPath, (expected, Self.found(in: context)))
        case DecodingError.dataCorrupted(let context): (reason, path) = (.corrupted, context.codingPath)
        default: reason = .other(type: "\(Swift.type(of: error))")
        }
        self.init(reason, path: CodingPath.text(of: path), type: "\(type)")
        self.expectedType = types.expected.map { "\($0)" }
        self.foundType = types.found
        self.underlyingError = error
    }

    /// The kind of value that a decoder of Foundation says it found.
    ///
    /// Only its text names the kind: "Expected to decode Int but found a string instead." Only words that are expected there
    /// are taken from it.
    private static func found(in context: DecodingError.Context) -> String? {
        guard let place = context.debugDescription.firstRange(of: "but found ") else { return nil }
        let words = context.debugDescription[place.upperBound...]
        return self.kinds.first { words.hasPrefix($0.words) }?.kind
    }

    private static let kinds: [(words: String, kind: String)] = [
        ("a string", "a string"), ("a number", "a number"), ("number", "a number"), ("an array", "an array"),
        ("a dictionary", "an object"), ("a bool", "a Boolean"), ("bool", "a Boolean"), ("null", "null"),
    ]
}

extension DecodingFailure: CustomStringConvertible, Described {
    /// What is wrong, and where, in a few words.
    package var wording: String {
        var text = "\(self.reason)"
        if self.reason == .typeMismatch, self.expectedType != nil || self.foundType != nil {
            let expected = self.expectedType.map { "expected \(ForeignText.shown($0, length: 64))" }
            text += ", \([expected, self.foundType.map { "found \($0)" }].compactMap(\.self).joined(separator: ", "))"
        }
        return self.path.isEmpty ? text : "\(text), at \(self.path)"
    }
}

extension DecodingFailure.Reason: CustomStringConvertible, Described {
    /// What is wrong, in a few words.
    package var wording: String {
        switch self {
        case .emptyBody: "there is no body"
        case .keyNotFound: "a member is missing"
        case .valueNotFound: "a member has no value"
        case .typeMismatch: "a value is of another type"
        case .corrupted: "the data is malformed"
        case .other(let type): "the decoder threw \(type)"
        }
    }
}

/// Says where in a value something is, without anything of the value.
package enum CodingPath {
    /// How many steps of a path are named; what lies deeper is left out, because its depth is the server's choice.
    private static let maximumStepCount = 16

    /// The path as text: names of the program's own members and numbers of elements, such as `users[3].name`.
    ///
    /// Other keys are content: each is written as `*`.
    package static func text(of path: [any CodingKey]) -> String {
        var text = ""
        for key in path.prefix(self.maximumStepCount) {
            if let index = self.index(key) {
                text += "[\(index)]"
            } else {
                if !text.isEmpty { text += "." }
                text += self.isNamedByProgram(key) ? key.stringValue : "*"
            }
        }
        return path.count > self.maximumStepCount ? "\(text)…" : text
    }

    /// The number of an element of a list.
    ///
    /// Coders give it the text `Index 3`. A number alone tells nothing: the key of a dictionary may be one.
    private static func index(_ key: any CodingKey) -> Int? {
        guard let number = key.intValue, key.stringValue == "Index \(number)" else { return nil }
        return number
    }

    /// Whether a key is a case of an enumeration, as the compiler makes them: such names are the program's.
    ///
    /// Those of a dictionary, and those that a type makes of what it finds, are content. Decoders have hidden types for
    /// them, or the program has a structure.
    private static func isNamedByProgram(_ key: any CodingKey) -> Bool {
        let mirror = Mirror(reflecting: key)
        return mirror.displayStyle == .enum && mirror.children.isEmpty && !"\(mirror.subjectType)".hasPrefix("_")
    }
}
