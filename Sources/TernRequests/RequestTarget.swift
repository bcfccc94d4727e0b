// SPDX-License-Identifier: Apache-2.0
package import TernErrors

/// A path and a query in which values have their places.
///
/// ```swift
/// let request = Request(.get, "https://api.example.com").target("/photos/\(id)/image?size=\(size)")
/// ```
///
/// What is written literally is sent as it is written. A value is percent-encoded for the place where it stands, so that
/// it stays there whatever it holds: it begins no other component, no query and no other item. `.` and `..` are refused,
/// between encoded slashes too. An item of the query whose value is `nil` is left out.
public struct RequestTarget: ExpressibleByStringInterpolation, Sendable {
    /// The path as it is sent; it may be empty.
    package let path: String
    /// The query as it is sent, without the question mark; `nil` if there is none.
    package let query: String?
    /// Why this cannot be sent; `nil` if it can.
    package let problem: RequestFailure?

    /// Creates a target without values.
    ///
    /// - Parameter value: the path, and the query if there is one, as they are sent; what is not ASCII is percent-encoded.
    public init(stringLiteral value: String) {
        var interpolation = StringInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.init(stringInterpolation: interpolation)
    }

    /// Creates a target of literal text and values.
    ///
    /// - Parameter stringInterpolation: the parts, in order.
    public init(stringInterpolation: StringInterpolation) {
        var parts = stringInterpolation
        parts.endItem()
        self.path = parts.path
        self.query = parts.items.flatMap { $0.isEmpty ? nil : $0.joined(separator: "&") }
        self.problem = parts.problem ?? Self.stepProblem(in: parts.path)
    }

    /// "The path segments "." and ".." […] are intended for use at the beginning of a relative-path reference" (RFC 3986
    /// §3.3), but servers take them for steps in the tree wherever they stand, even when they are percent-encoded.
    private static func stepProblem(in path: String) -> RequestFailure? {
        PathStep.isIn(PercentEncoding.decode(Array(path.utf8).span)) ? .dotSegment : nil
    }
}

extension RequestTarget: CustomStringConvertible, CustomReflectable {
    /// The path; not the query, which may hold a secret.
    public var description: String { self.path }

    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["path": self.path]) }
}

extension Request {
    /// Appends a path and a query, in which values have their places, to the URL.
    ///
    /// - Parameter target: the path, which is appended to that of the URL, and the query, whose items come after those of
    ///   the URL. If it has a problem, the request has it as its ``problem``: `RequestFailure.dotSegment` for a component
    ///   that leads up, `.emptyComponent` for a value that leaves one empty, `.malformedTarget` for literal text that
    ///   cannot stand in a URL.
    /// - Returns: a changed copy.
    public func target(_ target: RequestTarget) -> Request {
        self.editingURL { text throws(RequestFailure) in
            if let problem = target.problem { throw problem }
            if !target.path.isEmpty {
                if text.upToPath.hasSuffix("/"), !text.upToPath.hasSuffix("://") { text.upToPath.removeLast() }
                if !target.path.hasPrefix("/") { text.upToPath.append("/") }
                text.upToPath.append(target.path)
            }
            guard let query = target.query else { return }
            let before = text.query ?? ""
            text.query = before.isEmpty || before.hasSuffix("&") ? before + query : "\(before)&\(query)"
        }
    }
}

extension RequestTarget {
    /// Puts a target together of literal text and values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        /// The path so far.
        var path = ""
        /// The items of the query that are complete; `nil` before the question mark.
        var items: [String]?
        /// What went wrong first.
        var problem: RequestFailure?

        /// The item of the query that is being written.
        private var item = ""
        private var dropsItem = false
        /// Whether an empty value is all that the present component of the path has so far.
        private var isEmptied = false

        /// Creates an empty target.
        ///
        /// - Parameters:
        ///   - literalCapacity: how many bytes of literal text to expect.
        ///   - interpolationCount: how many values to expect.
        public init(literalCapacity: Int, interpolationCount: Int) {
            self.path.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends text as it is; what is not ASCII is percent-encoded.
        ///
        /// - Parameter literal: characters of a path or a query (RFC 3986 §3.3, §3.4), and complete percent-encodings.
        public mutating func appendLiteral(_ literal: String) {
            let bytes = Array(literal.utf8)
            for index in bytes.indices {
                let byte = bytes[index]
                switch byte {
                case UInt8(ascii: "/") where self.items == nil:
                    self.endComponent()
                    self.path.append("/")
                case UInt8(ascii: "?") where self.items == nil:
                    self.endComponent()
                    self.items = []
                case UInt8(ascii: "&") where self.items != nil: self.endItem()
                case UInt8(ascii: "%") where !Self.isEncodedByte(bytes[index...]): self.refuse(.malformedTarget)
                case 0x80...: self.append(PercentEncoding.encode(byte))
                case _ where byte.isTargetByte: self.append(String(Unicode.Scalar(byte)))
                default: self.refuse(.malformedTarget)
                }
            }
        }

        /// Appends a value: one component, or a part of one, or a part of an item of the query.
        ///
        /// - Parameter value: anything with a textual form, such as a `String` or an `Int`.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            let text = value.description
            if self.items == nil, text.isEmpty, self.path.isEmpty || self.path.hasSuffix("/") { self.isEmptied = true }
            if !text.isEmpty { self.append(PercentEncoding.encode(text)) }
        }

        /// Appends a value to the query, or leaves out the item that it stands in.
        ///
        /// - Parameter value: anything with a textual form; with `nil` the whole item is left out. A path cannot do without
        ///   its value.
        public mutating func appendInterpolation(_ value: (some LosslessStringConvertible)?) {
            switch value {
            case .some(let value): self.appendInterpolation(value)
            case .none where self.items == nil: self.refuse(.emptyComponent)
            case .none: self.dropsItem = true
            }
        }

        /// Ends the item of the query that is being written, or the path if there is no query.
        mutating func endItem() {
            self.endComponent()
            if self.items != nil, !self.dropsItem { self.items?.append(self.item) }
            self.item = ""
            self.dropsItem = false
        }

        /// A value that was to name something, and is empty, would make another resource of it: the list of all.
        private mutating func endComponent() {
            if self.isEmptied { self.refuse(.emptyComponent) }
            self.isEmptied = false
        }

        private mutating func append(_ text: String) {
            if self.items == nil {
                self.path.append(text)
                self.isEmptied = false
            } else {
                self.item.append(text)
            }
        }

        private mutating func refuse(_ problem: RequestFailure) { self.problem = self.problem ?? problem }

        /// "A percent-encoded octet is encoded as a character triplet" (RFC 3986 §2.1): never half of one.
        private static func isEncodedByte(_ bytes: ArraySlice<UInt8>) -> Bool {
            bytes.count >= 3 && bytes.dropFirst().prefix(2).allSatisfy(\.isHexDigit)
        }
    }
}

extension UInt8 {
    /// What may stand literally in a path or a query, slash, question mark and percent sign included (RFC 3986 §3.4).
    fileprivate var isTargetByte: Bool {
        self.isUnreserved || "!$&'()*+,;=:@/?%".utf8.contains(self)
    }
}
