// SPDX-License-Identifier: Apache-2.0
public import TernErrors

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
    public let text: String
    /// Why this cannot be sent; `nil` if it can.
    ///
    /// What is written literally is not checked to be JSON.
    public let problem: InvalidRequest?

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
    ///     `InvalidRequest.bodyNotEncodable`.
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
