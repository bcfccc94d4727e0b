// SPDX-License-Identifier: Apache-2.0

/// State that the stages of one call pass to each other.
///
/// It belongs to the call and not to its request, so that no delegate, monitor or cache key sees it. A stage sets a
/// value on the copy of the call that it passes down; only the stages below can read it.
package struct StageContext: Sendable {
    /// The values, or `nil` if there are none: most calls set none, so a copy costs one word.
    private var values: [ObjectIdentifier: any Sendable]?

    package init() {}

    /// Whether no stage has set a value.
    package var isEmpty: Bool { self.values == nil }

    /// The value that a stage above has set; `nil` if there is none.
    package subscript<Key: StageContextKey>(_ key: Key.Type) -> Key.Value? {
        get { self.values?[ObjectIdentifier(key)] as? Key.Value }
        set {
            var values = self.values ?? [:]
            values[ObjectIdentifier(key)] = newValue
            self.values = values.isEmpty ? nil : values
        }
    }
}

/// A key for a value of the ``StageContext``, with its type.
package protocol StageContextKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable
}
