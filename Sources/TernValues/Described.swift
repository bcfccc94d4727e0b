// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

/// A value whose `description` is its ``wording``.
///
/// A type implements only ``wording``. An extension of this protocol supplies `description`, so that the public API
/// does not list a separate `description` for each type.
package protocol Described: CustomStringConvertible {
    /// A short text for a log, without any secrets.
    var wording: String { get }
}

extension Described {
    /// The text of ``wording``.
    public var description: String { self.wording }
}

/// An error whose `localizedDescription` is its ``sentence``.
package protocol Explained: LocalizedError {
    /// One English sentence that an app may show, without any secrets.
    var sentence: String { get }
}

extension Explained {
    /// The text of ``sentence``.
    public var errorDescription: String? { self.sentence }
}

/// A value of which `dump` shows only the ``shownParts``.
package protocol PartlyShown: CustomReflectable {
    /// The parts, each with its name, that may appear in a log.
    var shownParts: KeyValuePairs<String, Any> { get }
}

extension PartlyShown {
    /// A mirror with the shown parts.
    public var customMirror: Mirror { Mirror(self, children: self.shownParts, displayStyle: .struct) }
}
