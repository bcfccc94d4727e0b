// SPDX-License-Identifier: Apache-2.0
import TernErrors

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Request {
    /// Appends components to the URL's path.
    ///
    /// Each is one component whatever it holds: all but unreserved characters are percent-encoded, a slash too. So a name
    /// that a user typed cannot lead elsewhere.
    ///
    /// - Parameter components: anything with a textual form, such as a `String` or an `Int`; an empty one at the end gives
    ///   a path that ends in a slash. `.` and `..`, which servers take for steps in the tree even when encoded, are
    ///   refused, between slashes too: the ``problem`` is then `InvalidRequest.dotSegment`.
    /// - Returns: a changed copy.
    public func path(_ components: any LosslessStringConvertible...) -> Request {
        guard !components.isEmpty else { return self }
        return self.editingURL { text throws(InvalidRequest) in
            // A slash that ends the path is the one before the first component, unless it announces the host.
            if text.upToPath.hasSuffix("/"), !text.upToPath.hasSuffix("://") { text.upToPath.removeLast() }
            for component in components {
                let component = component.description
                guard !PathStep.isIn(component) else { throw .dotSegment }
                text.upToPath.append("/")
                PercentEncoding.append(component, to: &text.upToPath, as: .component)
            }
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

    /// Appends a name without a value to the URL's query, as in `?verbose`.
    ///
    /// - Parameter name: the name; percent-encoded.
    /// - Returns: a changed copy.
    public func query(_ name: String) -> Request { self.appendingToQuery(PercentEncoding.encode(name)) }

    /// Appends the members of a value to the URL's query.
    ///
    /// - Parameters:
    ///   - value: a structure or a dictionary. If it cannot be encoded, the ``problem`` is
    ///     `InvalidRequest.bodyNotEncodable`.
    ///   - encoder: how to write lists, dates and the like; see ``FormEncoder`` for the defaults.
    /// - Returns: a changed copy.
    @_disfavoredOverload  // a text alone is a name without a value
    public func query(_ value: some Encodable, encoder: FormEncoder = FormEncoder()) -> Request {
        do throws(InvalidRequest) {
            let items = try encoder.pairs(value).map {
                "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
            }
            return items.isEmpty ? self : self.appendingToQuery(items.joined(separator: "&"))
        } catch {
            return self.with { $0.problems.url = error }
        }
    }

    private func appendingToQuery(_ item: String) -> Request {
        self.editingURL { text throws(InvalidRequest) in
            guard let query = text.query, !query.isEmpty else {
                text.query = item
                return
            }
            text.query = query.hasSuffix("&") ? query + item : "\(query)&\(item)"
        }
    }

    /// Changes the text of the URL, unless it has a problem already.
    func editingURL(_ edit: (inout URLText) throws(InvalidRequest) -> Void) -> Request {
        // What is no URL, or has been refused already, has no parts to append to.
        guard self.problems.url == nil else { return self }
        var copy = self
        var text = URLText(self.url.absoluteString)
        do throws(InvalidRequest) {
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
