// SPDX-License-Identifier: Apache-2.0
import Tern
import TernRequests
import TernTransfers

/// The form in which a transfer is on the disk: what it transfers, and how far it is.
///
/// A running transfer is `waiting` here, because nothing runs after the end of the process.
struct StoredTransfer: Hashable, Sendable {
    /// The state of a transfer on the disk.
    enum Phase: Hashable, Sendable {
        case waiting
        /// The next attempt begins at this date.
        ///
        /// - `secondCount`: The length of the delay, rounded up. So a clock that is set back does not make the transfer
        ///   wait longer than that. `nil` in a file that an earlier version has written.
        case delayed(until: HTTPDate, secondCount: Int64?)
        case paused
        case completed
        case failed
    }

    /// A failure on the disk.
    struct Failure: Hashable, Sendable {
        let reason: TransferFailure.Reason
        let message: String
    }

    /// The version of the format.
    static let version = 1
    /// The maximum length of a label, in bytes.
    static let maximumLabelByteCount = 1024
    /// The maximum length of the message of a failure, in bytes.
    ///
    /// The end of a longer message is cut off.
    static let maximumMessageByteCount = 512
    /// The maximum length of an encoded transfer when it is added, in bytes.
    ///
    /// Later forms have more content, such as the message of a failure. The difference to the maximum length of a record
    /// is more than they can need, even if each byte of a message has an escape of six bytes.
    static let maximumNewByteCount = RecordProblem.maximumByteCount - 8192

    /// The number, which the name of the file has, too.
    let id: TransferID
    var description: TransferDescription
    var phase = Phase.waiting
    /// Whether a request that must not be repeated may have reached the server.
    var mayBeProcessed = false
    /// The number of attempts that have failed since the last progress.
    var failedAttemptCount = 0
    /// The number of bytes of the file that were transferred.
    var byteCount: Int64 = 0
    /// The length of the file; `nil` if it is not known.
    var totalByteCount: Int64?
    /// The failure of the last attempt; `nil` if there was none.
    var failure: Failure?

    init(_ id: TransferID, _ description: TransferDescription) {
        self.id = id
        self.description = description
    }
}

extension StoredTransfer.Failure {
    /// Creates the stored form of a failure.
    init(_ failure: TransferFailure) {
        var byteCount = 0
        let message = failure.message.unicodeScalars.prefix { scalar in
            byteCount += UTF8.width(scalar)
            return byteCount <= StoredTransfer.maximumMessageByteCount
        }
        self.init(reason: failure.reason, message: String(message))
    }
}
