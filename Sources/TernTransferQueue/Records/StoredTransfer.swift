// SPDX-License-Identifier: Apache-2.0
import Tern
import TernRequests
import TernTransfers

/// A transfer on the disk, without a phase for a running one, because nothing runs after the end of the process.
struct StoredTransfer: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case waiting
        /// `secondCount`, the length of the delay, rounded up, limits the wait if the clock is set back; `nil` in old files.
        case delayed(until: HTTPDate, secondCount: Int64?)
        case paused
        case completed
        case failed
    }

    struct Failure: Hashable, Sendable {
        let reason: TransferFailure.Reason
        let message: String
    }

    static let version = 1
    /// The maximum length of the label of a transfer, in bytes.
    static let maximumLabelByteCount = 1024
    static let maximumMessageByteCount = 512
    /// The maximum length of the description of a new transfer, in bytes.
    ///
    /// Beyond it, the queue throws `unsuitable(.tooLong)`. The rest of a record's maximum is for what the queue adds later, such as
    /// the message of a failure, in which an escaped byte takes six bytes.
    static let maximumNewByteCount = RecordProblem.maximumByteCount - 8192

    let id: TransferID
    var description: TransferDescription
    var phase = Phase.waiting
    var mayBeProcessed = false
    var failedAttemptCount = 0
    var byteCount: Int64 = 0
    var totalByteCount: Int64?
    var failure: Failure?

    init(_ id: TransferID, _ description: TransferDescription) {
        self.id = id
        self.description = description
    }
}

extension StoredTransfer.Failure {
    init(_ failure: TransferFailure) {
        var byteCount = 0
        let message = failure.message.unicodeScalars.prefix { scalar in
            byteCount += UTF8.width(scalar)
            return byteCount <= StoredTransfer.maximumMessageByteCount
        }
        self.init(reason: failure.reason, message: String(message))
    }
}
