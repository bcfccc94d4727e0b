// SPDX-License-Identifier: Apache-2.0

import TernErrors
public import TernFoundation

/// The error of a wait that did not end.
///
/// The error says what the test waited for, and what the test found instead.
///
/// The test doubles of this module throw this error in two cases: after a wait of a minute of real time, and when a
/// script has no answer left, contains a mistake, or cannot continue. So the test fails instead of waiting forever, and
/// the error says why.
///
/// If a call of the client fails for this reason, the call throws `ClientError.interceptorFailed` with this error or
/// its description.
public struct TestStallError: Error, Hashable, CustomStringConvertible, Sendable {
    /// One sentence that says what the test waited for, and what it found.
    ///
    /// The wording may change in later versions.
    public let description: String

    package init(_ description: String) { self.description = description }
}

extension TestStallError: PlainlyDescribedError {}

extension TestStallError: LocalizedError {
    /// One general sentence.
    ///
    /// ``description`` contains the details.
    public var errorDescription: String? { "A test waited for something that did not happen." }
}

/// The limit for waits of test doubles, in real time.
package enum WaitLimit {
    /// The time limit of one wait.
    ///
    /// Defaults to one minute, which is longer than any operation in memory takes, even on a busy machine.
    ///
    /// The tests of the test doubles set the limit to zero.
    @TaskLocal package static var current: Duration = .seconds(60)
}

extension Observed {
    /// Waits until the condition is true.
    ///
    /// Returns at once if the task is cancelled.
    ///
    /// - Parameters:
    ///   - what: A noun phrase for what the test waits for. It follows "The test waited … for" in the error.
    ///   - found: Returns a noun phrase for the current value. It follows "but found" in the error.
    ///   - condition: The condition.
    /// - Throws: ``TestStallError`` when the condition does not become true within a minute.
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
    /// Returns the number and a noun, such as `1 timer` or `2 timers`.
    func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}

extension Collection {
    /// Returns the elements as a comma-separated list, for the description of a ``TestStallError``.
    func listed(_ text: (Element) -> String, none: String) -> String {
        self.isEmpty ? none : self.map(text).joined(separator: ", ")
    }
}
