// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value whose `description` is its ``wording``.
///
/// A type says its words here, and its `description` comes from one place, so that it is no symbol of each type.
package protocol Described: CustomStringConvertible {
    /// A few words for a log; nothing that is secret.
    var wording: String { get }
}

extension Described {
    /// The same as ``wording``.
    public var description: String { self.wording }
}

/// An error whose `localizedDescription` is its ``sentence``.
package protocol Explained: LocalizedError {
    /// One English sentence that an app may show; nothing that is secret.
    var sentence: String { get }
}

extension Explained {
    /// The same as ``sentence``.
    public var errorDescription: String? { self.sentence }
}

/// A value of which `dump` shows its ``shownParts``, and nothing else.
package protocol PartlyShown: CustomReflectable {
    /// What may be seen by all who see a log, with its names.
    var shownParts: KeyValuePairs<String, Any> { get }
}

extension PartlyShown {
    /// The parts that are shown.
    public var customMirror: Mirror { Mirror(self, children: self.shownParts, displayStyle: .struct) }
}
