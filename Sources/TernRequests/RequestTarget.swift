// SPDX-License-Identifier: Apache-2.0
package import TernErrors
public import TernValues

/// A path and a query with values inserted in them.
///
/// ```swift
/// let request = Request(.get, "https://api.example.com")
///     .target("/photos/\(id)/image?size=\(size)")
/// ```
///
/// In literal text, only characters outside ASCII are percent-encoded. A value is percent-encoded, so that
/// it cannot begin another component, a query or another query item. A query item whose value is `nil` is left out. A component
/// `.` or `..` makes the target invalid, even if its dots or the slashes around it are percent-encoded.
public struct RequestTarget: ExpressibleByStringInterpolation, Sendable {
    package let path: String
    package let query: String?
    package let problem: RequestFailure?

    /// Creates a target without values.
    public init(stringLiteral value: String) {
        var interpolation = StringInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.init(stringInterpolation: interpolation)
    }

    /// Creates a target from literal text and values.
    public init(stringInterpolation: StringInterpolation) {
        var parts = stringInterpolation
        parts.endItem()
        self.path = parts.path
        self.query = parts.items.flatMap { $0.isEmpty ? nil : $0.joined(separator: "&") }
        self.problem = parts.problem ?? Self.stepProblem(in: parts.path)
    }

    /// Refuses `.` and `..`, which servers treat as steps in the tree in any position, even percent-encoded.
    private static func stepProblem(in path: String) -> RequestFailure? {
        PathStep.isIn(PercentEncoding.decode(ContiguousArray(path.utf8).span)) ? .dotSegment : nil
    }
}

extension RequestTarget: CustomStringConvertible, CustomReflectable, Described, PartlyShown {
    /// The path only, because the query may contain a secret.
    package var wording: String { self.path }

    package var shownParts: KeyValuePairs<String, Any> { ["path": self.path] }
}

extension Request {
    /// Appends a path and a query, with values inserted in them, to the URL.
    ///
    /// If the target is invalid, the ``problem`` is `RequestFailure.dotSegment` for a component `.` or `..`, `.emptyComponent`
    /// for `nil` in the path or a component that a value leaves empty, `.malformedTarget` for other literal text that is not valid.
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
    /// Builds a target from literal text and values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var path = ""
        var items: [String]?
        var problem: RequestFailure?

        private var item = ""
        private var dropsItem = false
        /// Whether the current path component consists only of an empty value so far.
        private var isEmptied = false

        /// Creates an empty target.
        public init(literalCapacity: Int, interpolationCount: Int) {
            self.path.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends characters of a path or a query (RFC 3986 §3.3, §3.4) and complete percent-encodings unchanged.
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

        /// Appends a value: a path component or a part of one, or a part of a query item.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            let text = value.description
            if self.items == nil, text.isEmpty, self.path.isEmpty || self.path.hasSuffix("/") { self.isEmptied = true }
            if !text.isEmpty { self.append(PercentEncoding.encode(text)) }
        }

        /// Appends a value; `nil` in the query leaves out its item, and `nil` in the path makes the target invalid.
        public mutating func appendInterpolation(_ value: (some LosslessStringConvertible)?) {
            switch value {
            case .some(let value): self.appendInterpolation(value)
            case .none where self.items == nil: self.refuse(.emptyComponent)
            case .none: self.dropsItem = true
            }
        }

        mutating func endItem() {
            self.endComponent()
            if self.items != nil, !self.dropsItem { self.items?.append(self.item) }
            self.item = ""
            self.dropsItem = false
        }

        /// Refuses an empty value, without which the path would name another resource, such as the list of all resources.
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

        /// Returns whether the bytes begin with a complete "character triplet" of percent-encoding (RFC 3986 §2.1).
        private static func isEncodedByte(_ bytes: ArraySlice<UInt8>) -> Bool {
            bytes.count >= 3 && bytes.dropFirst().prefix(2).allSatisfy(\.isHexDigit)
        }
    }
}

extension UInt8 {
    /// Whether the byte may stand literally in a path or a query, with slash, question mark and percent sign (RFC 3986 §3.4).
    fileprivate var isTargetByte: Bool {
        self.isUnreserved || "!$&'()*+,;=:@/?%".utf8.contains(self)
    }
}
