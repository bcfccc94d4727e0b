// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that a response body could not be decoded as a value, and the beginning of the body.
///
/// The body may also be a message of a WebSocket.
public struct DecodingFailure: Sendable {
    /// A kind of problem with the body.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The body is empty, and the type has no value for an empty body.
        case emptyBody
        /// A key that the type needs is missing.
        case keyNotFound
        /// A key is present, but its value is null.
        case valueNotFound
        /// A value does not have the expected type.
        case typeMismatch
        /// The body, or a value in it, is malformed.
        case corrupted
        /// The decoder threw another error; the text is the error's type, not its content.
        ///
        /// For text in a charset that is not supported, the text also names the charset.
        case other(type: String)
    }

    /// The kind of problem.
    public var reason: Reason
    /// The path from the top of the body to the problem, such as `users[3].name`; empty if the problem is at the top.
    ///
    /// Numbers are positions in arrays, and names are keys that the program declares in an enumeration. Every other
    /// key, such as that of a dictionary, is content of the body and is written as `*`.
    public var path: String
    /// The name of the type that the body was decoded as.
    public var type: String
    /// The name of the type that the value at ``path`` was decoded as.
    ///
    /// `nil` if the decoder did not name one.
    public var expectedType: String?
    /// The kind of value that the decoder found at ``path``, such as "a string" or "null".
    ///
    /// `nil` if the decoder did not report one. The text is one of a few fixed phrases, never a part of the body.
    public var foundType: String?
    /// The error that the decoder threw, usually a `DecodingError`.
    ///
    /// `nil` for an empty body.
    ///
    /// The error's own text may quote the body, so the `description` and the `dump` of this failure leave the error
    /// out.
    public var underlyingError: (any Error)? {
        get { self.concealedError.value }
        set { self.concealedError.value = newValue }
    }
    /// The beginning of the body, at most `Client.Configuration.maximumErrorBodyByteCount` bytes.
    ///
    /// For a message of a WebSocket, the limit is 64 KiB.
    ///
    /// No description of an error contains these bytes.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool
    /// The event or record that could not be decoded; `nil` if the client decoded the whole body as one value.
    ///
    /// For an event or a record, ``body`` is its beginning.
    public var position: StreamPosition?

    private var concealedError: Concealed<(any Error)?>
    private var concealedBody: Concealed<Data>

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - reason: The kind of problem.
    ///   - path: The place of the problem. Defaults to the top.
    ///   - type: The name of the type that the body was decoded as.
    ///   - body: The beginning of the body. Defaults to no bytes.
    ///   - isBodyComplete: Whether `body` is the whole body. Defaults to `true`.
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
    /// Creates a failure from the error that a decoder threw.
    ///
    /// - Parameters:
    ///   - error: The error, which ``underlyingError`` keeps.
    ///   - type: The type that the body was decoded as.
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

    /// Returns the kind of value that one of Foundation's decoders found, as its error says.
    ///
    /// Only the text of the error names the kind: "Expected to decode Int but found a string instead." The rest of the
    /// text may quote the body, so the function looks for a few known words only.
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
    /// A short description of the problem and its place.
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

    /// The event or record that contains the value at ``path``, as the end of a sentence; empty without a path.
    private var placeOfPath: String {
        guard let position = self.position, !self.path.isEmpty else { return "" }
        return ", in \(position)"
    }

    /// Returns the difference between the expected and the found type, as the end of a sentence.
    ///
    /// - Parameter length: The number of Unicode scalars to show of the expected type.
    /// - Returns: A predicate, such as `is a string instead of Int`.
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
    /// A short description of the problem.
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

/// Describes the place of a value inside another value, without any content.
package enum CodingPath {
    /// The maximum number of steps of a path that its text shows.
    ///
    /// The text leaves out deeper steps, because the server chooses the depth.
    private static let maximumStepCount = 16

    /// Returns the path as text, such as `users[3].name`.
    ///
    /// Numbers are positions in arrays, and names are keys that the program declares in an enumeration. Every other key
    /// is content and is written as `*`.
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

    /// Returns the position that a key stands for in an array; `nil` for the key of an object.
    ///
    /// Decoders give the key of a position the text `Index 3`. A number alone does not make a key a position: a
    /// dictionary may have numbers as keys.
    private static func index(_ key: any CodingKey) -> Int? {
        guard let number = key.intValue, key.stringValue == "Index \(number)" else { return nil }
        return number
    }

    /// Returns whether a key is a case of a plain enumeration, such as the `CodingKeys` that the compiler synthesizes.
    ///
    /// Keys of a dictionary, and keys that a type creates from the names in the body, are content. For such keys,
    /// decoders have types whose names begin with an underscore, and programs use structures.
    private static func isDeclaredKey(_ key: any CodingKey) -> Bool {
        let mirror = Mirror(reflecting: key)
        return mirror.displayStyle == .enum && mirror.children.isEmpty && !"\(mirror.subjectType)".hasPrefix("_")
    }
}
