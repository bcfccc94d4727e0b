// SPDX-License-Identifier: Apache-2.0

/// A value that is equal to another by a part of it, its ``identity``.
package protocol Identified: Hashable {
    /// What of a value counts when it is compared.
    associatedtype Identity: Hashable

    /// What counts of this value.
    var identity: Identity { get }
}

extension Identified {
    /// Whether the identities are equal.
    public static func == (one: Self, other: Self) -> Bool { one.identity == other.identity }

    /// Feeds the identity.
    ///
    /// - Parameter hasher: What it is fed to.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.identity) }
}
