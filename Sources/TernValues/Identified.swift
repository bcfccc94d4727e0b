// SPDX-License-Identifier: Apache-2.0

/// A value whose equality and hash depend on only one part: its ``identity``.
package protocol Identified: Hashable {
    associatedtype Identity: Hashable

    var identity: Identity { get }
}

extension Identified {
    /// Returns whether the identities are equal.
    public static func == (one: Self, other: Self) -> Bool { one.identity == other.identity }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.identity) }
}
