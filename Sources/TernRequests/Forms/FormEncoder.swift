// SPDX-License-Identifier: Apache-2.0
package import TernErrors
public import TernFoundation

/// Encodes values as the name-value pairs of a form or of a query (WHATWG URL §5).
///
/// No standard defines how to write arrays and nested values; the encoder offers common formats.
///
/// ```swift
/// struct Search: Encodable { var text: String; var tags: [String] }
/// // ?tags[]=a&tags[]=b&text=sea, with the brackets percent-encoded
/// let request = Request(url: url).query(Search(text: "sea", tags: ["a", "b"]))
/// ```
public struct FormEncoder: Sendable {
    /// The format of arrays.
    @nonexhaustive
    public enum ArrayEncoding: Hashable, Sendable {
        /// `tags[]=a&tags[]=b`, the format of PHP and Rails.
        ///
        /// If an element has members or is an array, the encoder writes the array as ``indexed``, because PHP would read each
        /// member as a separate element.
        case brackets
        /// `tags[0]=a&tags[1]=b`.
        case indexed
        /// `tags=a&tags=b`, the format of HTML forms.
        case repeated
        /// `tags=a,b` with the comma percent-encoded; encoding fails for an array of arrays or of values with members.
        ///
        /// An element with a comma looks like two elements.
        case commas
    }

    /// The format of dates.
    @nonexhaustive
    public enum DateEncoding: Sendable {
        /// `2026-11-21T17:30:00Z` (RFC 3339).
        case iso8601
        /// Seconds since 1970, with a fraction only if it is not zero.
        case seconds
        /// Milliseconds since 1970, rounded.
        case milliseconds
        /// The text that a function returns.
        case custom(@Sendable (Date) -> String)
    }

    /// The format of Boolean values.
    @nonexhaustive
    public enum BoolEncoding: Hashable, Sendable {
        /// `true` and `false`.
        case literal
        /// `1` and `0`.
        case numeric
    }

    /// The names for the members of nested values.
    @nonexhaustive
    public enum KeyEncoding: Hashable, Sendable {
        /// `user[name]=Anna`.
        case brackets
        /// `user.name=Anna`.
        case dots
    }

    /// The format of members and elements without a value.
    @nonexhaustive
    public enum NilEncoding: Hashable, Sendable {
        /// The member or element is left out.
        case omitted
        /// An empty value: `name=`.
        case empty
        /// The text `null`: `name=null`.
        case null
    }

    package var arrays: ArrayEncoding
    package var dates: DateEncoding
    package var bools: BoolEncoding
    package var keys: KeyEncoding
    package var nils: NilEncoding
    /// Whether the encoder sorts members by name, so that a dictionary always gives the same text.
    package var sortsKeys: Bool

    /// Creates an encoder, which sorts members by name by default, because the order of a dictionary changes from run to run.
    public init(
        arrays: ArrayEncoding = .brackets,
        dates: DateEncoding = .iso8601,
        bools: BoolEncoding = .literal,
        keys: KeyEncoding = .brackets,
        nils: NilEncoding = .omitted,
        sortsKeys: Bool = true
    ) {
        self.arrays = arrays
        self.dates = dates
        self.bools = bools
        self.keys = keys
        self.nils = nils
        self.sortsKeys = sortsKeys
    }

    /// Returns names and values, not yet percent-encoded; throws `RequestFailure.bodyNotEncodable`.
    package func pairs(_ value: some Encodable) throws(RequestFailure) -> [(name: String, value: String)] {
        let root = FormNode()
        do {
            try root.encode(value, by: self, at: [])
            guard case .members = root.content else {
                throw FormProblem(text: "must be a structure or a dictionary, because a form needs names", path: [])
            }
            return try self.pairs(of: root)
        } catch {
            throw .bodyNotEncodable(EncodingFailure.text(of: error))
        }
    }
}
