// SPDX-License-Identifier: Apache-2.0

/// A value that neither a description, nor `dump`, nor a mirror shows: a password, a token, the body of a response.
///
/// A type that holds its secrets in it needs no description or mirror of its own to keep them.
package struct Concealed<Value> {
    /// What is kept; only code that asks for it by this name has it.
    package var value: Value

    /// Conceals a value.
    package init(_ value: Value) { self.value = value }
}

extension Concealed: Sendable where Value: Sendable {}
extension Concealed: Equatable where Value: Equatable {}
extension Concealed: Hashable where Value: Hashable {}

extension Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same three asterisks for every value.
    package var description: String { "***" }

    /// The same.
    package var debugDescription: String { self.description }

    /// Shows nothing to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
