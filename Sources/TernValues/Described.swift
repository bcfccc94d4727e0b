// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

/// A value whose `description` is its ``wording``, so that the public API does not list one for each type.
package protocol Described: CustomStringConvertible {
    /// A short text for a log, without any secrets.
    var wording: String { get }
}

extension Described {
    /// The text of ``wording``.
    public var description: String { self.wording }
}

package protocol Explained: LocalizedError {
    var sentence: String { get }
}

extension Explained {
    /// The text of ``sentence``.
    public var errorDescription: String? { self.sentence }
}

/// A value of which `dump` shows only the ``shownParts``.
package protocol PartlyShown: CustomReflectable {
    var shownParts: KeyValuePairs<String, Any> { get }
}

extension PartlyShown {
    /// A mirror whose only children are the ``shownParts``.
    public var customMirror: Mirror { Mirror(self, children: self.shownParts, displayStyle: .struct) }
}
