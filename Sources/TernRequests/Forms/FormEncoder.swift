// SPDX-License-Identifier: Apache-2.0
package import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes values as the pairs of a form or of a query (WHATWG URL §5).
///
/// There is no standard for how lists and nested values are written; the choices here are those that servers know.
///
/// ```swift
/// struct Search: Encodable { var text: String; var tags: [String] }
/// let request = Request(url: url).query(Search(text: "sea", tags: ["a", "b"]))  // ?tags[]=a&tags[]=b&text=sea
/// ```
public struct FormEncoder: Sendable {
    /// How the elements of a list are named.
    @nonexhaustive
    public enum ArrayEncoding: Hashable, Sendable {
        /// `tags[]=a&tags[]=b`, as PHP and Rails read it.
        ///
        /// A list with an element that has members or is a list is written as ``indexed``: `users[0][name]=Anna`. With
        /// empty brackets, PHP would take each member for an element of its own.
        case brackets
        /// `tags[0]=a&tags[1]=b`.
        case indexed
        /// `tags=a&tags=b`, as HTML forms do it.
        case repeated
        /// `tags=a,b`, the comma percent-encoded; for plain values only, and an element that holds a comma cannot be told
        /// from two.
        case commas
    }

    /// How dates are written.
    @nonexhaustive
    public enum DateEncoding: Sendable {
        /// `2026-11-21T17:30:00Z` (RFC 3339).
        case iso8601
        /// Seconds since 1970, without a fraction where there is none.
        case seconds
        /// Milliseconds since 1970, rounded.
        case milliseconds
        /// What a function says.
        case custom(@Sendable (Date) -> String)
    }

    /// How truth values are written.
    @nonexhaustive
    public enum BoolEncoding: Hashable, Sendable {
        /// `true` and `false`.
        case literal
        /// `1` and `0`.
        case numeric
    }

    /// How the members of nested values are named.
    @nonexhaustive
    public enum KeyEncoding: Hashable, Sendable {
        /// `user[name]=Anna`.
        case brackets
        /// `user.name=Anna`.
        case dots
    }

    /// How members without a value are written.
    @nonexhaustive
    public enum NilEncoding: Hashable, Sendable {
        /// Not at all.
        case omitted
        /// With nothing after the equals sign: `name=`.
        case empty
        /// As `name=null`.
        case null
    }

    /// How the elements of a list are named; by brackets by default.
    package var arrays: ArrayEncoding
    /// How dates are written; as ISO 8601 by default.
    package var dates: DateEncoding
    /// How truth values are written; `true` and `false` by default.
    package var bools: BoolEncoding
    /// How the members of nested values are named; by brackets by default.
    package var keys: KeyEncoding
    /// How members without a value are written; not at all by default.
    package var nils: NilEncoding
    /// Whether members are sorted by name; `true` by default.
    ///
    /// So one value always gives one text, though the order of a dictionary changes from run to run. The elements of a
    /// list stay in order.
    package var sortsKeys: Bool

    /// Creates an encoder; see the properties for the defaults.
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

    /// The pairs that a value is.
    ///
    /// - Parameter value: a value with members: a structure or a dictionary.
    /// - Returns: names and values, not percent-encoded yet.
    /// - Throws: `RequestFailure.bodyNotEncodable` for a value without members, a number that is not finite, a nested list
    ///   in ``ArrayEncoding/commas``, and what the value throws; the text has the place, not the content.
    package func pairs(_ value: some Encodable) throws(RequestFailure) -> [(name: String, value: String)] {
        let root = FormNode()
        do {
            try root.encode(value, by: self, at: [])
            guard case .members = root.content else {
                throw FormProblem(text: "a form needs names; the value has none", path: [])
            }
            return try self.pairs(of: root)
        } catch {
            throw .bodyNotEncodable(EncodingFailure.text(of: error))
        }
    }
}
