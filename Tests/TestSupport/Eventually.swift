// SPDX-License-Identifier: Apache-2.0
public import Testing

/// A condition that a test waited for did not occur.
public struct NeverHappened: Error, CustomStringConvertible {
    /// The condition, and the time of waiting.
    public let description: String
}

/// Waits until a condition holds that nothing reports, such as a socket being closed.
///
/// It asks again and again, so that nothing depends on how long things take. At first it only lets other tasks run;
/// then it sleeps between two looks, so that a long wait leaves the cores to other tests.
///
/// - Parameters:
/// - what: The condition in words, for the error. Evaluated when it has not come true, so that it may say what is
/// instead.
///   - condition: Whether it holds.
/// - Throws: ``NeverHappened`` after five minutes, which is half of ``Testing/Trait/hangLimit``, so that the test says
///   what it waited for; `CancellationError` when the task is cancelled; what `condition` throws.
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

/// Waits as ``eventually(_:_:)`` does, and records an issue where that throws.
///
/// For code that may not throw, such as a delegate's. Returns early when the task is cancelled, which the caller sees.
///
/// - Parameters:
///   - what: The condition in words.
///   - sourceLocation: Where the issue is recorded.
///   - condition: Whether it holds.
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
    /// Waits until the flag was raised `count` times; records an issue if that never happens.
    public func wait(for count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        await expectEventually("the flag was raised \(count) times", sourceLocation: sourceLocation) {
            self.count >= count
        }
    }
}
