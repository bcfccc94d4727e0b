// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that a response body, a part of one, or a message of a WebSocket could not be decoded, with the data's beginning.
public struct DecodingFailure: Sendable {
    /// A kind of problem with the data.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The body is empty, and the type has no value for an empty body.
        case emptyBody
        /// A key that the type needs is missing.
        case keyNotFound
        /// A value that the type needs is null, or an array ends before it.
        case valueNotFound
        /// A value does not have the expected type.
        case typeMismatch
        /// The data is malformed, or a value in it is not valid.
        case corrupted
        /// The decoder threw another error, or the charset is not supported; the text names the error's type or the charset.
        case other(type: String)
    }

    /// The kind of problem.
    public var reason: Reason
    /// The path to the problem, such as `users[3].name`, of at most 16 steps; empty at the top of the data, or if it is not known.
    ///
    /// `*` stands for each key that is not a plain case of an enumeration, such as a key of a dictionary: it may be private.
    public var path: String
    /// The name of the type that the data was decoded as.
    public var type: String
    /// The name of the type that the value at ``path`` was decoded as; `nil` if the decoder did not name one.
    public var expectedType: String?
    /// The kind of value at ``path``, such as "a string", if it is known; "null" also if an array ends before the value.
    public var foundType: String?
    /// The error that the decoder threw, usually a `DecodingError`; `nil` for an empty body.
    ///
    /// No description shows it, because it may quote the body.
    public var underlyingError: (any Error)? {
        get { self.concealedError.value }
        set { self.concealedError.value = newValue }
    }
    /// The beginning of the body, or of the event, record or message that could not be decoded; no description contains it.
    ///
    /// It has at most `Client.Configuration.maximumErrorBodyByteCount` bytes, or 64 KiB of a WebSocket's message.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body, event, record or message.
    public var isBodyComplete: Bool
    /// The position of the event or record; `nil` for a whole body, and for a message of a WebSocket.
    public var position: StreamPosition?

    private var concealedError: Concealed<(any Error)?>
    private var concealedBody: Concealed<Data>

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

    /// Looks for a few known words in the error's text, whose rest may quote the body.
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
    package var wording: String {
        let place = self.position.map { "\($0)" }
        let value = self.path.isEmpty ? place ?? "the data" : "the value at \(self.path)"
        return switch self.reason {
        case .keyNotFound where !self.path.isEmpty: "\(value) is missing\(self.placeOfPath)"
        case .valueNotFound: "\(value) is null or missing\(self.placeOfPath)"
        case .typeMismatch: "\(value) \(self.mismatch(length: 64))\(self.placeOfPath)"
        case .corrupted where self.path.isEmpty: "\(value) is malformed\(self.placeOfPath)"
        case .corrupted: "\(value) is not valid\(self.placeOfPath)"
        default: place.map { "\(self.reason), in \($0)" } ?? "\(self.reason)"
        }
    }

    private var placeOfPath: String {
        guard let position = self.position, !self.path.isEmpty else { return "" }
        return ", in \(position)"
    }

    /// Returns the end of a sentence, such as `is a string instead of Int`.
    func mismatch(length: Int) -> String {
        // `JSONDecoder` reports these types when it expected an object or an array.
        let expected = self.expectedType.map { type in
            type.hasPrefix("Dictionary<")
                ? "an object" : type.hasPrefix("Array<") ? "an array" : ForeignText.shown(type, length: length)
        }
        return switch (self.foundType, expected) {
        case (let found?, let expected?): "is \(found) instead of \(expected)"
        case (nil, let expected?): "is something other than \(expected)"
        case (let found?, nil): "has the wrong type: it is \(found)"
        case (nil, nil): "has the wrong type"
        }
    }
}

extension DecodingFailure.Reason: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .emptyBody: "the body is empty"
        case .keyNotFound: "a key is missing"
        case .valueNotFound: "a value is null"
        case .typeMismatch: "a value has the wrong type"
        case .corrupted: "the data is malformed"
        case .other(let type): "the decoder threw \(type)"
        }
    }
}

package enum CodingPath {
    private static let maximumStepCount = 16

    /// Returns a text such as `users[3].name`, in which `*` stands for each key that is content of the body.
    package static func text(of path: [any CodingKey]) -> String {
        var text = ""
        for key in path.prefix(self.maximumStepCount) {
            if let index = self.index(key) {
                text += "[\(index)]"
            } else {
                if !text.isEmpty { text += "." }
                text += self.isDeclaredKey(key) ? key.stringValue : "*"
            }
        }
        return path.count > self.maximumStepCount ? "\(text)…" : text
    }

    /// Returns the position in an array, for which decoders give the text `Index 3`; a number alone may be a dictionary's key.
    private static func index(_ key: any CodingKey) -> Int? {
        guard let number = key.intValue, key.stringValue == "Index \(number)" else { return nil }
        return number
    }

    /// Returns whether a key is a case of a plain enumeration, such as synthesized `CodingKeys`, and thus no content.
    private static func isDeclaredKey(_ key: any CodingKey) -> Bool {
        let mirror = Mirror(reflecting: key)
        return mirror.displayStyle == .enum && mirror.children.isEmpty && !"\(mirror.subjectType)".hasPrefix("_")
    }
}
