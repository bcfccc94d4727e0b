// SPDX-License-Identifier: Apache-2.0

import TernErrors
public import TernFoundation

/// The error of a wait that did not end, or of a script that cannot continue.
///
/// Methods such as ``ManualClock/waitForScheduled(count:)`` throw it after a minute of real time, or later on a machine that is
/// so busy that tasks wait for a thread. They return at once if the task is cancelled. The test doubles also throw it when a script
/// has no answer left or contains a mistake. A call of the client that fails for this reason throws
/// `ClientError.interceptorFailed` with this error or its description.
public struct TestStallError: Error, Hashable, CustomStringConvertible, Sendable {
    /// One sentence that says what the test waited for, or what is wrong in the script; its wording may change.
    public let description: String

    package init(_ description: String) { self.description = description }
}

extension TestStallError: PlainlyDescribedError {}

extension TestStallError: LocalizedError {
    /// One general sentence; ``description`` contains the details.
    public var errorDescription: String? { "A test waited for something that did not happen." }
}

package enum WaitLimit {
    /// The time, on a real clock, for which a test double waits for an event that may never happen.
    ///
    /// Beyond it, the test double throws ``TestStallError``. It is longer than any operation in memory takes, even on a busy
    /// machine; the tests of the test doubles set it to zero.
    @TaskLocal package static var current: Duration = .seconds(60)
}

extension Observed {
    /// Waits for a condition; `what` follows "The test waited … for" in the error, and `found` follows "but found".
    func wait(
        for what: @autoclosure () -> String,
        butFound found: (Value) -> String,
        until condition: @escaping @Sendable (Value) -> Bool
    ) async throws(TestStallError) {
        let limit = WaitLimit.current
        guard await self.outcome(within: limit, of: condition) == .late else { return }
        throw TestStallError("The test waited \(limit) for \(what()), but found \(found(self.value)).")
    }
}

extension Int {
    /// Returns `1 timer` or `2 timers`.
    func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}

extension Collection {
    func listed(_ text: (Element) -> String, none: String) -> String {
        self.isEmpty ? none : self.map(text).joined(separator: ", ")
    }
}
