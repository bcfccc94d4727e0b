// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation

extension Request {
    /// Appends a path to the URL's path: `path("users/7")` gives `…/users/7`.
    ///
    /// Slashes separate segments. All other characters except the unreserved ones (RFC 3986 §2.3) are percent-encoded, including
    /// `?`, `#` and `%`. Slashes at the beginning of `path` merge with the slash before them; a slash at its end stays. If a
    /// segment is `.` or `..`, the ``problem`` is `RequestFailure.dotSegment`, because servers treat it as a step in the tree.
    ///
    /// To append a value that may contain a slash, such as a name that a user typed, use ``pathSegment(_:)`` or a ``target(_:)``.
    public func path(_ path: String) -> Request {
        // Drop all slashes, because two would announce a host. Compare scalars, because a slash and a combining mark
        // are one `Character`.
        self.appendingToPath(String(path.unicodeScalars.drop { $0 == "/" }), as: .path)
    }

    /// Appends one segment to the URL's path: `pathSegment("a/b")` gives `…/a%2Fb`.
    ///
    /// All characters except the unreserved ones are percent-encoded, including slashes, so that a name that a user typed cannot
    /// lead to another path. If the value is empty, the ``problem`` is `RequestFailure.emptyComponent`, because the path would
    /// name another resource, such as the list of all users. If the value, or a part of it between slashes, is `.` or `..`, the
    /// ``problem`` is `RequestFailure.dotSegment`: servers treat such parts as steps in the tree even when encoded. To end the
    /// path in a slash, use ``path(_:)`` with `"/"`.
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

    /// Appends an item to the URL's query, unless the value is `nil`.
    ///
    /// This method percent-encodes the name and the value, including `+`, `&`, `=` and `;`, so that servers decode the same value.
    public func query(_ name: String, _ value: (any LosslessStringConvertible)?) -> Request {
        guard let value else { return self }
        return self.appendingToQuery("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value.description))")
    }

    /// Appends an item to the URL's query for each of several values: `query("tags", ["a", "b"])` gives `tags=a&tags=b`.
    ///
    /// An empty array appends nothing. If the server expects brackets, include them in the name: `query("tags[]", ["a", "b"])`. To
    /// choose the form of all arrays in a value, use ``query(_:encoder:)``.
    public func query(_ name: String, _ values: [any LosslessStringConvertible]) -> Request {
        values.reduce(self) { $0.query(name, $1) }
    }

    /// Appends a name without a value to the URL's query, as in `?verbose`.
    public func query(_ name: String) -> Request { self.appendingToQuery(PercentEncoding.encode(name)) }

    /// Appends the members of a value, which is a structure or a dictionary, to the URL's query.
    ///
    /// If the value cannot be encoded, the ``problem`` is `RequestFailure.bodyNotEncodable`.
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

struct URLText {
    var upToPath: String
    var query: String?
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
