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

    static func possiblyProcessed(_ cause: TransferFailure?) -> AttemptResult {
        let message = "the server may have processed the upload already, so the queue does not send it again by itself"
        let text = cause.map { "\(message): \($0.message)" } ?? message
        return AttemptResult(.failed(isAnswered: false), TransferFailure(.possiblyProcessed, text, cause?.error))
    }

    static func notStored(_ failure: some CustomStringConvertible) -> AttemptResult {
        AttemptResult(.notStored, TransferFailure(.storage, "a file of the queue could not be written: \(failure)"))
    }
}
