// SPDX-License-Identifier: Apache-2.0

/// What was awaited did not come about.
public struct NeverHappened: Error, CustomStringConvertible {
    /// What was awaited, and for how long.
    public let description: String
}

/// Waits until a condition holds that nobody can be asked to report, such as a socket being closed.
///
/// It asks again and again, so that nothing depends on how long things take; only a failure takes all of `limit`.
///
/// - Parameters:
///   - what: the condition in words, for the error.
///   - limit: when to give up; 10 seconds by default.
///   - condition: whether it holds.
/// - Throws: ``NeverHappened``, what `condition` throws, or `CancellationError`.
public func eventually(
    _ what: String,
    within limit: Duration = .seconds(10),
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: limit)
    while try await !condition() {
        guard clock.now < deadline else { throw NeverHappened(description: "not even after \(limit): \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
