// SPDX-License-Identifier: Apache-2.0
package import TernErrors
import TernFoundation
public import TernValues

/// JSON as a literal, with values inserted in it.
///
/// ```swift
/// let request = Request(.post, url)
///     .body(jsonText: #"{"title": "\#(title)", "tags": \#(tags)}"#)
/// ```
///
/// A value between quotes is text, and is escaped. A value outside quotes is encoded by `JSONEncoder`, with sorted keys and
/// unescaped slashes, and must stand where JSON allows a value. In both cases it stays a single value, whatever it contains.
public struct JSONText: ExpressibleByStringInterpolation, Sendable {
    package let text: String
    package let problem: RequestFailure?

    /// Creates JSON from literal text.
    public init(stringLiteral value: String) {
        self.text = value
        self.problem = nil
    }

    /// Creates JSON from literal text and values.
    public init(stringInterpolation: StringInterpolation) {
        self.text = stringInterpolation.text
        self.problem = stringInterpolation.problem
    }
}

extension JSONText: CustomStringConvertible, CustomReflectable, Described, PartlyShown {
    /// The length, and not the content, which may be a secret.
    package var wording: String { "JSON of \(self.text.utf8.count) bytes" }

    package var shownParts: KeyValuePairs<String, Any> { [:] }
}

extension Request {
    /// Sets the body to JSON, given as a literal with values inserted in it.
    ///
    /// If a mistake is found, such as a value that cannot be encoded, the ``problem`` is `RequestFailure.bodyNotEncodable`.
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
    /// Builds JSON from literal text and values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        private enum Place: Sendable {
            /// Not in a string; a quote leads to `string`.
            case outside
            /// Between quotes; a quote leads to `outside`, a backslash leads to `escape`.
            case string
            /// After a backslash; `u` leads to `digits`, any other byte to `string`.
            case escape
            /// In the digits after `\u`, of which this many are missing; the last digit leads to `string`.
            case digits(Int)
        }

        private enum Container: Sendable { case list, object }

        var text = ""
        private var failure: RequestFailure?
        private var place = Place.outside
        /// The lists and objects that the literal text has opened and not closed, the innermost last.
        private var containers: [Container] = []
        /// The last byte of literal text that is neither in a string nor white space.
        private var lastByte: UInt8?
        private var isAfterValue = false

        var problem: RequestFailure? {
            if let failure { return failure }
            if case .outside = self.place { return nil }
            return .bodyNotEncodable("a string in the JSON has no closing quote")
        }

        public init(literalCapacity: Int, interpolationCount: Int) {
            self.text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends any part of a JSON text without changing it.
        public mutating func appendLiteral(_ literal: String) {
            for byte in literal.utf8 { self.follow(byte) }
            self.text.append(literal)
        }

        /// Appends a value: as text if it stands between quotes, and as a JSON value otherwise.
        public mutating func appendInterpolation(_ value: some Encodable & LosslessStringConvertible) {
            if case .outside = self.place {
                self.append(encoding: value)
            } else {
                self.append(escaping: value.description)
            }
        }

        /// Appends a value that `JSONEncoder` can encode, and that does not stand between quotes.
        public mutating func appendInterpolation(_ value: some Encodable) { self.append(encoding: value) }

        /// Appends a value that `JSONEncoder` can encode and that does not stand between quotes, or `null` if it is `nil`.
        public mutating func appendInterpolation(_ value: (some Encodable)?) { self.append(encoding: value) }

        /// Appends text, which must stand between quotes.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            self.append(escaping: value.description)
        }

        private mutating func append(encoding value: some Encodable) {
            guard case .outside = self.place, !self.isAfterValue, self.canPrecedeValue else {
                return self.refuse("a value is in a place where JSON does not allow one")
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
            guard case .string = self.place else { return self.refuse("a text value is not in quotation marks") }
            for scalar in value.unicodeScalars {
                switch scalar {
                case "\"": self.text.append("\\\"")
                case "\\": self.text.append("\\\\")
                // "The characters that MUST be escaped: quotation mark, reverse solidus, and the control characters
                // (U+0000 through U+001F)" (RFC 8259 §7). Escape U+2028 and U+2029 too, which ended lines in JavaScript
                // before 2019.
                case "\u{0}"..."\u{1F}", "\u{2028}", "\u{2029}":
                    let digits = String(scalar.value, radix: 16)
                    self.text.append("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)")
                default: self.text.unicodeScalars.append(scalar)
                }
            }
        }

        private mutating func follow(_ byte: UInt8) {
            switch (self.place, byte) {
            case (.outside, 0x20), (.outside, 0x0A), (.outside, 0x0D), (.outside, 0x09): return
            case (.outside, _):
                if self.isAfterValue, !self.canFollowValue(byte) {
                    self.refuse("a value stands directly next to other text, without a separator")
                }
                self.isAfterValue = false
                self.lastByte = byte
                self.enterOrLeave(at: byte)
            case (.string, UInt8(ascii: "\"")): self.place = .outside
            case (.string, UInt8(ascii: "\\")): self.place = .escape
            case (.string, _): return
            case (.escape, UInt8(ascii: "u")): self.place = .digits(4)
            case (.escape, _), (.digits(...1), _): self.place = .string
            case (.digits(let count), _): self.place = .digits(count - 1)
            }
        }

        private mutating func enterOrLeave(at byte: UInt8) {
            switch byte {
            case UInt8(ascii: "\""): self.place = .string
            case UInt8(ascii: "["): self.containers.append(.list)
            case UInt8(ascii: "{"): self.containers.append(.object)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = self.containers.popLast()
            default: break
            }
        }

        /// Whether the text so far begins the JSON or a list, or ends with a comma in a list, or with a colon in an object (RFC
        /// 8259 §2, §4, §5): after a comma in an object, only a key may follow.
        private var canPrecedeValue: Bool {
            guard let byte = self.lastByte else { return true }
            switch self.containers.last {
            case .list?: return "[,".utf8.contains(byte)
            case .object?: return byte == UInt8(ascii: ":")
            case nil: return false
            }
        }

        private func canFollowValue(_ byte: UInt8) -> Bool {
            switch self.containers.last {
            case .list?: ",]".utf8.contains(byte)
            case .object?: ",}".utf8.contains(byte)
            case nil: false
            }
        }

        private mutating func refuse(_ reason: String) { self.failure = self.failure ?? .bodyNotEncodable(reason) }
    }
}
