// SPDX-License-Identifier: Apache-2.0
public import Testing

public struct NeverHappened: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until a condition holds that no event reports, such as a socket being closed.
///
/// The function checks the condition again and again: first it lets other tasks run between two checks, then it sleeps.
///
/// - Parameters:
///   - what: The condition in words, for the error; evaluated only on failure, so that it can describe the current state.
///   - condition: A closure that returns whether the condition holds.
/// - Throws: ``NeverHappened`` after five minutes, half of ``Testing/Trait/hangLimit``; or the error of `condition`.
public func eventually(_ what: @autoclosure () -> String, _ condition: () async throws -> Bool) async throws {
    let clock = ContinuousClock()
    let limit = Duration.seconds(300)
    let deadline = clock.now.advanced(by: limit)
    var lookCount = 0
    while try await !condition() {
        guard clock.now < deadline else { throw NeverHappened(description: "not even after \(limit): \(what())") }
        try Task.checkCancellation()
        lookCount += 1
        switch lookCount {
        case ..<50: await Task.yield()
        case ..<500: try await Task.sleep(for: .milliseconds(1))
        default: try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// Waits like ``eventually(_:_:)``, but records an issue in place of an error, for code that must not throw.
public func expectEventually(
    _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async {
    do {
        try await eventually(what, condition)
    } catch is CancellationError {
        return
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

extension Flag {
    /// Waits until the flag has been raised `count` times; records an issue after five minutes.
    public func wait(for count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        await expectEventually("the flag was raised \(count) times", sourceLocation: sourceLocation) {
            self.count >= count
        }
    }
}
