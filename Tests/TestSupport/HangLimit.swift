// SPDX-License-Identifier: Apache-2.0
package import Dispatch
public import Testing

/// Ends the process if a test hangs, and prints the test's name.
///
/// The limit detects hangs, but not slow tests. Hundreds of tests share the cores, so a limit near the usual duration of
/// a test would fail on a slow or busy machine. Ten minutes are a hundred times the duration of the slowest test, and
/// much less than a whole run may take.
///
/// The testing library's own time limit cancels the test, and then waits for its end. A test that waits for a task that
/// it has created does not notice the cancellation, so that the run would never end.
public struct HangLimit: TestTrait, SuiteTrait, TestScoping {
    private static let watch = DispatchQueue(label: "HangLimit")

    private let limit: DispatchTimeInterval

    package init(_ limit: DispatchTimeInterval) { self.limit = limit }

    /// Whether each test of a suite has the limit.
    public var isRecursive: Bool { true }

    /// Runs a test, or a case of a test, within the limit.
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

    /// Schedules the end of the process, and cancels it when the function ends.
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
