// SPDX-License-Identifier: Apache-2.0

/// A value that no description, `dump` or mirror shows: a password, a token, the body of a response.
package struct Concealed<Value> {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}

extension Concealed: Sendable where Value: Sendable {}
extension Concealed: Equatable where Value: Equatable {}
extension Concealed: Hashable where Value: Hashable {}

extension Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "***" }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
