// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value whose `description` is its ``wording``.
///
/// A type implements ``wording``; `description` comes from one place, so that it is not a separate public symbol of
/// each type.
package protocol Described: CustomStringConvertible {
    /// A short text for a log, without any secrets.
    var wording: String { get }
}

extension Described {
    /// The same as ``wording``.
    public var description: String { self.wording }
}

/// An error whose `localizedDescription` is its ``sentence``.
package protocol Explained: LocalizedError {
    /// One English sentence that an app may show, without any secrets.
    var sentence: String { get }
}

extension Explained {
    /// The same as ``sentence``.
    public var errorDescription: String? { self.sentence }
}

/// A value of which `dump` shows only the ``shownParts``.
package protocol PartlyShown: CustomReflectable {
    /// The named parts that everyone who reads a log may see.
    var shownParts: KeyValuePairs<String, Any> { get }
}

extension PartlyShown {
    /// A mirror with the shown parts.
    public var customMirror: Mirror { Mirror(self, children: self.shownParts, displayStyle: .struct) }
}
