// SPDX-License-Identifier: Apache-2.0
package import TernErrors

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// JSON as it is written, in which values have their places.
///
/// ```swift
/// let request = Request(.post, url).body(jsonText: #"{"title": "\#(title)", "tags": \#(tags)}"#)
/// ```
///
/// A value inside of quotes is text, and is escaped. A value on its own is written by `JSONEncoder`, as it comes: a `String`
/// with its quotes, a number, a list, any `Encodable` value; so it must stand where JSON has a value, and not next to other
/// text. Either way it stays one value, whatever it holds.
public struct JSONText: ExpressibleByStringInterpolation, Sendable {
    /// The JSON.
    package let text: String
    /// Why this cannot be sent; `nil` if it can.
    ///
    /// What is written literally is not checked to be JSON.
    package let problem: RequestFailure?

    /// Creates JSON without values.
    ///
    /// - Parameter value: the JSON.
    public init(stringLiteral value: String) {
        self.text = value
        self.problem = nil
    }

    /// Creates JSON of literal text and values.
    ///
    /// - Parameter stringInterpolation: the parts, in order.
    public init(stringInterpolation: StringInterpolation) {
        self.text = stringInterpolation.text
        self.problem = stringInterpolation.problem
    }
}

extension JSONText: CustomStringConvertible, CustomReflectable {
    /// How long it is; not what it says, for that may be a secret.
    public var description: String { "JSON of \(self.text.utf8.count) bytes" }

    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Request {
    /// Sends JSON as it is written, in which values have their places.
    ///
    /// - Parameters:
    ///   - text: the JSON. If a value of it cannot be encoded, or stands where JSON has none, the ``problem`` is
    ///     `RequestFailure.bodyNotEncodable`.
    ///   - contentType: the media type; `application/json` by default.
    /// - Returns: a changed copy.
    public func body(jsonText text: JSONText, contentType: String = "application/json") -> Request {
        guard let problem = text.problem else {
            return self.body(data: Data(text.text.utf8), contentType: contentType)
        }
        return self.with { request in
            request.body = nil
            request.problems.body = problem
        }
    }
}

extension JSONText {
    /// Puts JSON together of literal text and values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        /// Where the end of the text so far is.
        private enum Place: Sendable {
            /// Between tokens, or in a number or a name; leads to `string` by a quote.
            case outside
            /// Between quotes; leads to `outside` by a quote, to `escape` by a backslash.
            case string
            /// Behind a backslash; leads to `string`, or to `digits` by `u`.
            case escape
            /// Within the digits of `\u`, so many of which are to come; leads to `string`.
            case digits(Int)
        }

        /// The JSON so far.
        var text = ""
        private var failure: RequestFailure?
        private var place = Place.outside
        /// The last byte outside of strings that is no white space.
        private var lastByte: UInt8?
        /// Whether a value has just ended.
        private var isAfterValue = false

        /// What went wrong first.
        var problem: RequestFailure? {
            if let failure { return failure }
            if case .outside = self.place { return nil }
            return .bodyNotEncodable("a string of the JSON does not end")
        }

        /// Creates an empty text.
        ///
        /// - Parameters:
        ///   - literalCapacity: how many bytes of literal text to expect.
        ///   - interpolationCount: how many values to expect.
        public init(literalCapacity: Int, interpolationCount: Int) {
            self.text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends JSON as it is.
        ///
        /// - Parameter literal: any part of a JSON text.
        public mutating func appendLiteral(_ literal: String) {
            for byte in literal.utf8 { self.follow(byte) }
            self.text.append(literal)
        }

        /// Appends a value: as text within quotes, as a JSON value elsewhere.
        ///
        /// - Parameter value: what is both, such as a `String`, an `Int` or a `Bool`.
        public mutating func appendInterpolation(_ value: some Encodable & LosslessStringConvertible) {
            if case .outside = self.place {
                self.append(encoding: value)
            } else {
                self.append(escaping: value.description)
            }
        }

        /// Appends a JSON value.
        ///
        /// - Parameter value: what `JSONEncoder` can write; not within quotes.
        public mutating func appendInterpolation(_ value: some Encodable) { self.append(encoding: value) }

        /// Appends a JSON value, or `null`.
        ///
        /// - Parameter value: what `JSONEncoder` can write; not within quotes.
        public mutating func appendInterpolation(_ value: (some Encodable)?) { self.append(encoding: value) }

        /// Appends text within quotes.
        ///
        /// - Parameter value: anything with a textual form.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            self.append(escaping: value.description)
        }

        private mutating func append(encoding value: some Encodable) {
            // "A JSON value MUST be an object, array, number, or string, or one of the three literal names" (RFC 8259 §3).
            guard case .outside = self.place, !self.isAfterValue, self.lastByte.map(Self.canPrecedeValue) ?? true else {
                return self.refuse("a value stands where JSON has none")
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                self.text.append(String(decoding: try encoder.encode(value), as: UTF8.self))
            } catch {
                self.refuse(EncodingFailure.text(of: error))
            }
            self.isAfterValue = true
        }

        private mutating func append(escaping value: String) {
            guard case .string = self.place else { return self.refuse("a text stands outside of quotes") }
            for scalar in value.unicodeScalars {
                switch scalar {
                case "\"": self.text.append("\\\"")
                case "\\": self.text.append("\\\\")
                // "The characters that MUST be escaped: quotation mark, reverse solidus, and the control characters (U+0000
                // through U+001F)" (RFC 8259 §7). The other two end lines in JavaScript before 2019.
                case "\u{0}"..."\u{1F}", "\u{2028}", "\u{2029}":
                    let digits = String(scalar.value, radix: 16)
                    self.text.append("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)")
                default: self.text.unicodeScalars.append(scalar)
                }
            }
        }

        /// Takes note of where a literal byte leads.
        private mutating func follow(_ byte: UInt8) {
            switch (self.place, byte) {
            case (.outside, 0x20), (.outside, 0x0A), (.outside, 0x0D), (.outside, 0x09): return
            case (.outside, _):
                if self.isAfterValue, !Self.canFollowValue(byte) { self.refuse("a value stands next to other text") }
                self.isAfterValue = false
                self.lastByte = byte
                if byte == UInt8(ascii: "\"") { self.place = .string }
            case (.string, UInt8(ascii: "\"")): self.place = .outside
            case (.string, UInt8(ascii: "\\")): self.place = .escape
            case (.string, _): return
            case (.escape, UInt8(ascii: "u")): self.place = .digits(4)
            case (.escape, _), (.digits(...1), _): self.place = .string
            case (.digits(let count), _): self.place = .digits(count - 1)
            }
        }

        private static func canPrecedeValue(_ byte: UInt8) -> Bool { ":,[".utf8.contains(byte) }

        private static func canFollowValue(_ byte: UInt8) -> Bool { ",]}".utf8.contains(byte) }

        private mutating func refuse(_ reason: String) { self.failure = self.failure ?? .bodyNotEncodable(reason) }
    }
}
