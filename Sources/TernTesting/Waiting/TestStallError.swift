// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

import TernErrors

/// Why a test cannot go on: what was waited for, and what there was.
///
/// The doubles of this module do not wait for what may never come. A wait of more than a minute of real time ends with this
/// error, and so does a script that has no answer, so that the test fails and says why. A call of the client throws it as
/// `ClientError.interceptorFailed`.
public struct TestStallError: Error, Hashable, CustomStringConvertible, Sendable {
    /// One sentence that says what was waited for, and what there was.
    ///
    /// Its wording is not stable.
    public let description: String

    package init(_ description: String) { self.description = description }
}

extension TestStallError: PlainlyDescribedError {}

extension TestStallError: LocalizedError {
    /// One sentence without details; ``description`` has them.
    public var errorDescription: String? { "A test waited for something that did not happen." }
}

/// How long a double waits, in real time, for what may never come.
package enum WaitLimit {
    /// A minute, which is longer than anything in memory takes on a busy machine.
    ///
    /// Tests of the doubles set it to zero.
    @TaskLocal package static var current: Duration = .seconds(60)
}

extension Observed {
    /// Waits until the condition holds; returns at once if the task is cancelled.
    ///
    /// - Parameters:
    ///   - what: What is waited for, as in "Waited for …".
    ///   - found: Describes what there is instead.
    ///   - condition: The condition.
    /// - Throws: ``TestStallError`` when the condition does not hold within a minute.
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
    /// The elements, for the description of a stall.
    func listed(_ text: (Element) -> String, none: String) -> String {
        self.isEmpty ? none : self.map(text).joined(separator: ", ")
    }
}
