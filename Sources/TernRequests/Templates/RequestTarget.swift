// SPDX-License-Identifier: Apache-2.0
public import TernErrors

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
    public let path: String
    /// The query as it is sent, without the question mark; `nil` if there is none.
    public let query: String?
    /// Why this cannot be sent; `nil` if it can.
    public let problem: InvalidRequest?

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
    private static func stepProblem(in path: String) -> InvalidRequest? {
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
    ///   the URL. If it has a problem, the request has it as its ``problem``: `InvalidRequest.dotSegment` for a component
    ///   that leads up, `.emptyComponent` for a value that leaves one empty, `.malformedTarget` for literal text that
    ///   cannot stand in a URL.
    /// - Returns: a changed copy.
    public func target(_ target: RequestTarget) -> Request {
        self.editingURL { text throws(InvalidRequest) in
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
