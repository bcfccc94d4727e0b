// SPDX-License-Identifier: Apache-2.0

/// Waits, without sleeping, until a condition holds that nobody reports.
///
/// - Returns: `false` if the task was cancelled before, as by the time limit of the test.
@discardableResult
public func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
    while !condition() {
        guard !Task.isCancelled else { return false }
        await Task.yield()
    }
    return true
}
