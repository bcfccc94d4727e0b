// SPDX-License-Identifier: Apache-2.0

/// A value that no description, `dump` or mirror shows: a password, a token, the body of a response.
///
/// A type that wraps its secrets in `Concealed` needs no custom description or mirror to protect them.
package struct Concealed<Value> {
    /// The concealed value, which nothing but this property shows.
    package var value: Value

    /// Conceals a value.
    package init(_ value: Value) { self.value = value }
}

extension Concealed: Sendable where Value: Sendable {}
extension Concealed: Equatable where Value: Equatable {}
extension Concealed: Hashable where Value: Hashable {}

extension Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Three asterisks, the same for every value.
    package var description: String { "***" }

    /// Three asterisks, like ``description``.
    package var debugDescription: String { self.description }

    /// Shows no children to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
