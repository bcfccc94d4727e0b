// SPDX-License-Identifier: Apache-2.0
package import Dispatch
public import Testing

/// Ends the process if a test hangs, and prints the test's name.
///
/// Ten minutes are a hundred times the duration of the slowest test. The testing library's own limit only cancels the test and
/// waits for its end, so that a test that waits for a task that it has created would never end.
public struct HangLimit: TestTrait, SuiteTrait, TestScoping {
    private static let watch = DispatchQueue(label: "HangLimit")

    private let limit: DispatchTimeInterval

    package init(_ limit: DispatchTimeInterval) { self.limit = limit }

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let place = test.sourceLocation
        try await self.run("\(test.displayName ?? test.name) (\(place.fileID):\(place.line))", function)
    }

    package func run(_ name: String, _ function: () async throws -> Void) async throws {
        try await self.run(self.end(of: name), function)
    }

    package func run(_ end: DispatchWorkItem, _ function: () async throws -> Void) async throws {
        Self.watch.asyncAfter(deadline: .now() + self.limit, execute: end)
        defer { end.cancel() }
        try await function()
    }

    private func end(of name: String) -> DispatchWorkItem {
        DispatchWorkItem { [limit] in fatalError("\(name) has not ended after \(limit)") }
    }
}

extension Trait where Self == HangLimit {
    /// Ends the process if the test hangs for ten minutes.
    public static var hangLimit: Self { HangLimit(.seconds(600)) }
}
