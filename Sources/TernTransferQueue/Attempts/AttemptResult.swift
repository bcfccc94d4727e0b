// SPDX-License-Identifier: Apache-2.0

struct AttemptResult: Sendable {
    let end: AttemptEnd
    let failure: TransferFailure?

    static let completed = AttemptResult(end: .completed, failure: nil)
    static let interrupted = AttemptResult(end: .interrupted, failure: nil)

    private init(end: AttemptEnd, failure: TransferFailure?) {
        self.end = end
        self.failure = failure
    }

    init(_ end: AttemptEnd, _ failure: TransferFailure) { self.init(end: end, failure: failure) }

    /// Replaces the result of an attempt after which the server may have the file, whatever the cause, because only the reason
    /// tells the application that another attempt needs its consent.
    static func possiblyProcessed(_ cause: AttemptResult?) -> AttemptResult {
        let message = "the server may have processed the upload already, so the queue does not send it again by itself"
        let failure = cause?.failure
        let text = failure.map { "\(message): \($0.message)" } ?? message
        let isAnswered = cause?.end.isAnswered ?? false
        return AttemptResult(
            .failed(isAnswered: isAnswered),
            TransferFailure(.possiblyProcessed, text, failure?.error)
        )
    }

    static func notStored(_ failure: some CustomStringConvertible) -> AttemptResult {
        AttemptResult(.notStored, TransferFailure(.storage, "a file of the queue could not be written: \(failure)"))
    }
}
