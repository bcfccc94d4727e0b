// SPDX-License-Identifier: Apache-2.0

/// The result of an attempt of a transfer.
struct AttemptResult: Sendable {
    /// The end, for the schedule.
    let end: AttemptEnd
    /// The reason of a failure; `nil` if the attempt was successful or ended by the queue.
    let failure: TransferFailure?

    static let completed = AttemptResult(end: .completed, failure: nil)
    static let interrupted = AttemptResult(end: .interrupted, failure: nil)

    private init(end: AttemptEnd, failure: TransferFailure?) {
        self.end = end
        self.failure = failure
    }

    /// Creates the result of a failed attempt.
    init(_ end: AttemptEnd, _ failure: TransferFailure) { self.init(end: end, failure: failure) }

    /// The server may have processed an upload, and must not process it twice.
    static func possiblyProcessed(_ cause: TransferFailure?) -> AttemptResult {
        let message = "the server may have processed the upload already, so the queue does not send it again by itself"
        let text = cause.map { "\(message): \($0.message)" } ?? message
        return AttemptResult(.failed(isAnswered: false), TransferFailure(.possiblyProcessed, text, cause?.error))
    }

    /// A file of the queue could not be written.
    static func notStored(_ failure: some CustomStringConvertible) -> AttemptResult {
        AttemptResult(.notStored, TransferFailure(.storage, "a file of the queue could not be written: \(failure)"))
    }
}
