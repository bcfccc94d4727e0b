// SPDX-License-Identifier: Apache-2.0
import Testing

// What Tests/AppleShape/macros.py puts in place of the macros of Swift Testing: functions with the same parameters. No program
// calls them.

/// Takes what `#expect` takes.
func expectChecked(
    _ condition: Bool,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation? = nil
) {}

/// Takes what `#require` takes.
func requireChecked(
    _ condition: Bool,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation? = nil
) throws {}

/// Takes what `#require` takes, and returns the value.
@discardableResult
func requireChecked<Value>(
    _ value: consuming Value?,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation? = nil
) throws -> Value {
    guard let value else { preconditionFailure("not for programs that run") }
    return value
}

/// Takes what `@Test` takes without a name, for each kind of arguments.
func testChecked(_ traits: any TestTrait...) {}
func testChecked<Arguments: Collection & Sendable>(_ traits: any TestTrait..., arguments: Arguments)
where Arguments.Element: Sendable {}
func testChecked<First: Collection & Sendable, Second: Collection & Sendable>(
    _ traits: any TestTrait...,
    arguments first: First,
    _ second: Second
) where First.Element: Sendable, Second.Element: Sendable {}
func testChecked<First: Collection & Sendable, Second: Collection & Sendable>(
    _ traits: any TestTrait...,
    arguments: Zip2Sequence<First, Second>
) where First.Element: Sendable, Second.Element: Sendable {}

/// Takes what `@Test` takes with a name, for each kind of arguments.
func testChecked(_ name: String, _ traits: any TestTrait...) {}
func testChecked<Arguments: Collection & Sendable>(_ name: String, _ traits: any TestTrait..., arguments: Arguments)
where Arguments.Element: Sendable {}
func testChecked<First: Collection & Sendable, Second: Collection & Sendable>(
    _ name: String,
    _ traits: any TestTrait...,
    arguments first: First,
    _ second: Second
) where First.Element: Sendable, Second.Element: Sendable {}
func testChecked<First: Collection & Sendable, Second: Collection & Sendable>(
    _ name: String,
    _ traits: any TestTrait...,
    arguments: Zip2Sequence<First, Second>
) where First.Element: Sendable, Second.Element: Sendable {}
