// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation

extension Request {
    /// Appends a path to the URL's path: `path("users/7")` gives `…/users/7`.
    ///
    /// Slashes separate segments. All characters except the unreserved ones (RFC 3986 §2.3) are percent-encoded,
    /// including `?`, `#` and `%`. The text therefore never becomes a query or a percent-encoding. Slashes at its
    /// beginning merge with the slash that separates the paths; a slash at its end stays.
    ///
    /// To append a value that may contain a slash, such as a name that a user typed, use ``pathSegment(_:)`` or a
    /// ``target(_:)``.
    ///
    /// - Parameter path: The path. If one of its segments is `.` or `..`, the ``problem`` is
    ///   `RequestFailure.dotSegment`, because servers treat such a segment as a step in the tree.
    /// - Returns: A changed copy.
    public func path(_ path: String) -> Request {
        // Drop all slashes, because two would announce a host. Compare scalars, because a slash and a combining mark
        // are one `Character`.
        self.appendingToPath(String(path.unicodeScalars.drop { $0 == "/" }), as: .path)
    }

    /// Appends one segment to the URL's path: `pathSegment("a/b")` gives `…/a%2Fb`.
    ///
    /// The value stays one segment, whatever it contains: all characters except the unreserved ones are
    /// percent-encoded, including slashes. A name that a user typed therefore cannot lead to another path.
    ///
    /// - Parameter segment: Any value with a textual form, such as a `String` or an `Int`. If the value is empty, the
    ///   ``problem`` is `RequestFailure.emptyComponent`: without the value, the path would name another resource, such
    ///   as the list of all users. To end the path in a slash, use ``path(_:)`` with `"/"`. If the value, or a part of
    ///   it before, between or after slashes, is `.` or `..`, the ``problem`` is `RequestFailure.dotSegment`: servers
    ///   treat such parts as steps in the tree even when encoded.
    /// - Returns: A changed copy.
    public func pathSegment(_ segment: any LosslessStringConvertible) -> Request {
        self.appendingToPath(segment.description, as: .component)
    }

    private func appendingToPath(_ addition: String, as rule: PercentEncoding.Rule) -> Request {
        self.editingURL { text throws(RequestFailure) in
            guard !PathStep.isIn(addition) else { throw .dotSegment }
            guard rule != .component || !addition.isEmpty else { throw .emptyComponent }
            // Drop a slash at the end of the path, because one is added below; keep the slashes of `://`.
            if text.upToPath.hasSuffix("/"), !text.upToPath.hasSuffix("://") { text.upToPath.removeLast() }
            text.upToPath.append("/")
            PercentEncoding.append(addition, to: &text.upToPath, as: rule)
        }
    }

    /// Appends an item to the URL's query.
    ///
    /// - Parameters:
    ///   - name: The name, which this method percent-encodes.
    ///   - value: Any value with a textual form. This method percent-encodes it, including `+`, `&`, `=` and `;`, so
    ///     that every server decodes the same value. `nil` appends no item.
    /// - Returns: A changed copy.
    public func query(_ name: String, _ value: (any LosslessStringConvertible)?) -> Request {
        guard let value else { return self }
        return self.appendingToQuery("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value.description))")
    }

    /// Appends an item to the URL's query for each of several values: `query("tags", ["a", "b"])` gives
    /// `tags=a&tags=b`.
    ///
    /// If the server expects brackets, include them in the name: `query("tags[]", ["a", "b"])`. To choose the form of
    /// all arrays in a value, use ``query(_:encoder:)``.
    ///
    /// - Parameters:
    ///   - name: The name of each item, which this method percent-encodes.
    ///   - values: Any values with a textual form, which this method percent-encodes. An empty array appends nothing.
    /// - Returns: A changed copy.
    public func query(_ name: String, _ values: [any LosslessStringConvertible]) -> Request {
        values.reduce(self) { $0.query(name, $1) }
    }

    /// Appends a name without a value to the URL's query, as in `?verbose`.
    ///
    /// - Parameter name: The name, which this method percent-encodes.
    /// - Returns: A changed copy.
    public func query(_ name: String) -> Request { self.appendingToQuery(PercentEncoding.encode(name)) }

    /// Appends the members of a value to the URL's query.
    ///
    /// - Parameters:
    ///   - value: A structure or a dictionary. If it cannot be encoded, the ``problem`` is
    ///     `RequestFailure.bodyNotEncodable`.
    ///   - encoder: The encoder, which decides how to write arrays, dates and the like. See ``FormEncoder`` for its
    ///     defaults.
    /// - Returns: A changed copy.
    @_disfavoredOverload  // so that a single text is a name without a value
    public func query(_ value: some Encodable, encoder: FormEncoder = FormEncoder()) -> Request {
        do throws(RequestFailure) {
            let items = try encoder.pairs(value).map {
                "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
            }
            return items.isEmpty ? self : self.appendingToQuery(items.joined(separator: "&"))
        } catch {
            return self.with { $0.problems.url = error }
        }
    }

    private func appendingToQuery(_ item: String) -> Request {
        self.editingURL { text throws(RequestFailure) in
            guard let query = text.query, !query.isEmpty else {
                text.query = item
                return
            }
            text.query = query.hasSuffix("&") ? query + item : "\(query)&\(item)"
        }
    }

    /// Changes the text of the URL; does nothing if the URL already has a problem.
    func editingURL(_ edit: (inout URLText) throws(RequestFailure) -> Void) -> Request {
        // A request with such a problem may have no URL to append to.
        guard self.problems.url == nil else { return self }
        var copy = self
        var text = URLText(self.url.absoluteString)
        do throws(RequestFailure) {
            try edit(&text)
            copy.url = try URLReference(text.joined).url()
        } catch {
            copy.problems.url = error
        }
        return copy
    }
}

/// The text of a URL, divided into the three parts that appending needs.
struct URLText {
    /// Scheme, authority and path.
    var upToPath: String
    /// The text after the question mark.
    var query: String?
    /// The text after the number sign.
    var fragment: String?

    init(_ text: String) {
        let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = (halves.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.upToPath = String(parts.first ?? "")
        self.query = parts.count > 1 ? String(parts[1]) : nil
        self.fragment = halves.count > 1 ? String(halves[1]) : nil
    }

    var joined: String {
        var text = self.upToPath
        if let query = self.query { text += "?\(query)" }
        if let fragment = self.fragment { text += "#\(fragment)" }
        return text
    }
}
