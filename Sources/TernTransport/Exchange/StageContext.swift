// SPDX-License-Identifier: Apache-2.0

/// State that the stages of one call pass to each other.
///
/// The state belongs to the call, not to its request, so delegates, monitors and cache keys do not see it. A stage sets
/// a value on the copy of the call that it passes down. Only the stages below can read that value.
package struct StageContext: Sendable {
    /// The values; `nil` if there are none.
    ///
    /// Most calls have no values, and copying `nil` costs one word.
    private var values: [ObjectIdentifier: any Sendable]?

    package init() {}

    /// Whether no stage has set a value.
    package var isEmpty: Bool { self.values == nil }

    /// The value that a stage above has set for the key; `nil` if there is none.
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
