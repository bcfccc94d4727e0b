// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

import TernErrors

/// The reason why a test cannot continue: what it waited for, and what it found.
///
/// The test doubles of this module do not wait forever. A wait of more than a minute of real time ends with this error,
/// and so does a script without an answer, so that the test fails and says why. A call of the client throws it as
/// `ClientError.interceptorFailed`.
public struct TestStallError: Error, Hashable, CustomStringConvertible, Sendable {
    /// One sentence that says what the test waited for, and what it found.
    ///
    /// Its wording is not stable.
    public let description: String

    package init(_ description: String) { self.description = description }
}

extension TestStallError: PlainlyDescribedError {}

extension TestStallError: LocalizedError {
    /// One sentence without the details, which are in ``description``.
    public var errorDescription: String? { "A test waited for something that did not happen." }
}

/// The real time that a test double waits for something that may never happen.
package enum WaitLimit {
    /// One minute, which is longer than anything in memory takes on a busy machine.
    ///
    /// Tests of the doubles set it to zero.
    @TaskLocal package static var current: Duration = .seconds(60)
}

extension Observed {
    /// Waits until the condition is true; returns at once if the task is cancelled.
    ///
    /// - Parameters:
    ///   - what: A description of what is awaited, as in "Waited for …".
    ///   - found: Describes the current value, as in "but found …".
    ///   - condition: The condition.
    /// - Throws: ``TestStallError`` when the condition does not become true within a minute.
    func wait(
        for what: @autoclosure () -> String,
        butFound found: (Value) -> String,
        until condition: @escaping @Sendable (Value) -> Bool
    ) async throws(TestStallError) {
        let limit = WaitLimit.current
        guard await self.outcome(within: limit, of: condition) == .late else { return }
        throw TestStallError("Waited \(limit) for \(what()), but found \(found(self.value)).")
    }
}

extension Collection {
    /// Returns the elements as a list, for the description of a stall.
    func listed(_ text: (Element) -> String, none: String) -> String {
        self.isEmpty ? none : self.map(text).joined(separator: ", ")
    }
}
