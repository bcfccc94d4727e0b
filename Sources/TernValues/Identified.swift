// SPDX-License-Identifier: Apache-2.0

/// A value whose equality and hash depend on only one part: its ``identity``.
package protocol Identified: Hashable {
    /// The type of the part that is compared.
    associatedtype Identity: Hashable

    /// The part that is compared.
    var identity: Identity { get }
}

extension Identified {
    /// Returns whether the identities are equal.
    public static func == (one: Self, other: Self) -> Bool { one.identity == other.identity }

    /// Hashes the identity.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.identity) }
}
