// SPDX-License-Identifier: Apache-2.0
import TernErrors

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Request {
    /// Appends a path to that of the URL: `path("users/7")` gives `…/users/7`.
    ///
    /// Slashes separate segments. All other characters but the unreserved ones (RFC 3986 §2.3) are percent-encoded, `?`,
    /// `#` and `%` too: the text becomes neither a query nor an escape. Slashes at its beginning count as the one that is
    /// there in any case, and one at its end stays.
    ///
    /// Append a value that may hold a slash, such as a name that a user typed, by ``pathSegment(_:)``, or put it into a
    /// ``target(_:)``.
    ///
    /// - Parameter path: The path. `.` and `..`, which servers take for steps in the tree, are refused as segments: the
    ///   ``problem`` is then `RequestFailure.dotSegment`.
    /// - Returns: A changed copy.
    public func path(_ path: String) -> Request {
        // By scalars: a slash and a combining mark behind it are one `Character`. Two slashes would announce a host.
        self.appendingToPath(String(path.unicodeScalars.drop { $0 == "/" }), as: .path)
    }

    /// Appends one segment to the URL's path: `pathSegment("a/b")` gives `…/a%2Fb`.
    ///
    /// It is one segment whatever it holds: all but unreserved characters are percent-encoded, a slash too. So a name that
    /// a user typed cannot lead elsewhere.
    ///
    /// - Parameter segment: Anything with a textual form, such as a `String` or an `Int`; an empty one gives a path that
    ///   ends in a slash. `.` and `..`, which servers take for steps in the tree even when encoded, are refused, between
    ///   slashes too: the ``problem`` is then `RequestFailure.dotSegment`.
    /// - Returns: A changed copy.
    public func pathSegment(_ segment: any LosslessStringConvertible) -> Request {
        self.appendingToPath(segment.description, as: .component)
    }

    private func appendingToPath(_ addition: String, as rule: PercentEncoding.Rule) -> Request {
        self.editingURL { text throws(RequestFailure) in
            guard !PathStep.isIn(addition) else { throw .dotSegment }
            // A slash that ends the path is the one before the addition, unless it announces the host.
            if text.upToPath.hasSuffix("/"), !text.upToPath.hasSuffix("://") { text.upToPath.removeLast() }
            text.upToPath.append("/")
            PercentEncoding.append(addition, to: &text.upToPath, as: rule)
        }
    }

    /// Appends an item to the URL's query.
    ///
    /// - Parameters:
    ///   - name: the name; percent-encoded.
    ///   - value: anything with a textual form; percent-encoded, `+`, `&`, `=` and `;` too, so that it arrives as it is,
    ///     whichever rules the server follows. With `nil` nothing is appended.
    /// - Returns: a changed copy.
    public func query(_ name: String, _ value: (any LosslessStringConvertible)?) -> Request {
        guard let value else { return self }
        return self.appendingToQuery("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value.description))")
    }

    /// Appends an item to the URL's query for each of several values: `query("tags", ["a", "b"])` gives `tags=a&tags=b`.
    ///
    /// Where a server wants brackets, give the name with them: `query("tags[]", ["a", "b"])`. ``query(_:encoder:)`` has
    /// the choice for all lists of a value.
    ///
    /// - Parameters:
    ///   - name: The name of each item; percent-encoded.
    ///   - values: Anything with a textual form; percent-encoded. An empty list appends nothing.
    /// - Returns: A changed copy.
    public func query(_ name: String, _ values: [any LosslessStringConvertible]) -> Request {
        values.reduce(self) { $0.query(name, $1) }
    }

    /// Appends a name without a value to the URL's query, as in `?verbose`.
    ///
    /// - Parameter name: the name; percent-encoded.
    /// - Returns: a changed copy.
    public func query(_ name: String) -> Request { self.appendingToQuery(PercentEncoding.encode(name)) }

    /// Appends the members of a value to the URL's query.
    ///
    /// - Parameters:
    ///   - value: a structure or a dictionary. If it cannot be encoded, the ``problem`` is
    ///     `RequestFailure.bodyNotEncodable`.
    ///   - encoder: how to write lists, dates and the like; see ``FormEncoder`` for the defaults.
    /// - Returns: a changed copy.
    @_disfavoredOverload  // a text alone is a name without a value
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

    /// Changes the text of the URL, unless it has a problem already.
    func editingURL(_ edit: (inout URLText) throws(RequestFailure) -> Void) -> Request {
        // What is no URL, or has been refused already, has no parts to append to.
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

/// The text of a URL in three parts, which is what appending needs to know of it.
struct URLText {
    /// Scheme, authority and path.
    var upToPath: String
    /// What follows the question mark.
    var query: String?
    /// What follows the number sign.
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
