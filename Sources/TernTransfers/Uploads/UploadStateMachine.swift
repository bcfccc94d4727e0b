// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// One call of an upload that continues after interruptions, from the record on the disk to the answer of the resource.
///
/// Each method records an event, and most return the next ``UploadStep``. The driver performs the steps one after the
/// other. The machine has no clock, no randomness and no files: the caller passes the time and a generator. An
/// ``UploadDialect`` contains the parts that differ from protocol to protocol.
///
/// The machine keeps three promises. It sends a byte only at the offset that the server named last, so no byte is
/// stored in a wrong place. In one upload, it never sends an acknowledged byte again. And it lets the resource process
/// the file a second time only if the method or the caller allows that, or if the server certainly did not complete the
/// first upload.
///
/// The driver may stop after any step, for example because its task is cancelled: the record on the disk is true.
package struct UploadStateMachine: Sendable {
    enum State: Sendable {
        /// The call has not begun. Exits: `requesting`, `settling`, `ended`.
        case ready
        /// A request is about to be sent, or its final response has not arrived.
        ///
        /// Exits: `requesting` with another request, `settling`, `ended`.
        case requesting(UploadRequest)
        /// The driver performs these actions on the record, then the next step follows.
        ///
        /// Exits: `requesting` or `ended`, as `next` says; `ended` if an action fails.
        case settling([RecordStep], next: Next)
        /// The call is over; nothing more happens.
        case ended(UploadOutcome)
    }

    /// The step after the actions on the record.
    enum Next: Sendable {
        case send(UploadRequest, after: Duration)
        case end(UploadOutcome)
    }

    /// The number of acknowledged bytes after which the record is written again: 64 MiB.
    package static let recordInterval: Int64 = 64 << 20
    /// The maximum number of conflicts about the offset without progress.
    package static let maximumConflictCount = 3
    /// The maximum number of parts that the server reports as damaged, without progress.
    package static let maximumMismatchCount = 3
    /// The maximum number of redirects of requests for the upload, as in `RedirectPolicy`.
    package static let maximumRedirectCount = 20
    /// The maximum number of smaller parts that are tried because the server refused longer ones.
    ///
    /// Halving the longest file takes fewer steps. A server that lowers its limit byte by byte ends the call.
    package static let maximumShrinkCount = 50
    /// The smallest part, in bytes, that is tried after the server refused a longer one without a limit: 256 KiB.
    package static let smallestPartByteCount: Int64 = 256 << 10
    /// The length below which a part is short, if it is not the last and the server allows no longer one: 64 KiB.
    package static let shortPartByteCount: Int64 = 64 << 10
    /// The maximum number of short parts in a call.
    ///
    /// A server that allows one byte in each request would otherwise get one request for each byte of the file.
    package static let maximumShortPartCount = 1000

    var configuration: UploadConfiguration
    let stored: StoredUpload
    /// Whether the owner of the call stores that the upload has its answer, before the record is deleted.
    ///
    /// Defaults to `false`.
    package var confirms = false

    // MARK: The upload on the server

    var state = State.ready
    /// The protocol of the upload.
    var uploadProtocol: UploadProtocol
    var dialect: any UploadDialect
    /// The URL of the upload; `nil` until the server has named it.
    var location: UploadURL?
    /// The number of bytes that the server has; `nil` if the client must ask for it.
    var offset: Int64?
    /// The highest number of bytes that the server has acknowledged.
    var acknowledged: Int64 = 0
    var limits = UploadLimits()
    var creationDate = HTTPDate(secondsSince1970: 0)
    var expirationDate: HTTPDate?
    /// Whether all bytes of a request that completes the upload were sent, and no later response has shown that the
    /// upload is not complete.
    var mayBeComplete = false

    // MARK: The record

    /// Whether a record is on the disk, usable or not.
    var hasRecord: Bool
    /// The usable record on the disk; `nil` if there is none.
    var lastRecord: UploadRecord?

    // MARK: What the call has seen

    /// The reason that the upload began again; `nil` if it did not.
    package internal(set) var restart: UploadRestartReason?
    /// The number of bytes that the server had when this call continued an upload; 0 for a new one.
    package internal(set) var resumedByteCount: Int64 = 0
    /// The outcome after the request that cancels an upload; `nil` if the upload is not being cancelled.
    var outcomeAfterCancelling: UploadOutcome?
    /// Whether this call has begun again because the server lost the upload.
    var hasLostUpload = false
    /// The number of failed attempts since the last progress.
    var failedAttemptCount = 0
    var conflictCount = 0
    var mismatchCount = 0
    var redirectCount = 0
    /// The number of smaller parts that were tried because the server refused longer ones.
    var shrinkCount = 0
    /// The number of requests whose part was short because of the server's limit.
    var shortPartCount = 0
    /// The number of acknowledged bytes at the last progress.
    var progressMark: Int64 = 0
    /// The maximum length of a part, after the server refused a longer one; `nil` if the server refused none.
    var refusedLimit: Int64?
    /// Whether to create the upload without content, because the server refused the content as too long.
    var createsWithoutContent = false
    /// The number of content bytes of the present request that were sent.
    var sentInRequest: Int64 = 0
    /// The status of the last response to a request that completes the upload.
    var lastStatus: Int?
    /// The highest number of bytes that was reported as sent.
    var reportedByteCount: Int64 = 0

    /// Creates the machine for a call.
    ///
    /// - Parameters:
    ///   - configuration: The parameters of the upload.
    ///   - stored: The record on the disk.
    package init(_ configuration: UploadConfiguration, stored: StoredUpload) {
        self.configuration = configuration
        self.stored = stored
        self.hasRecord = stored != .absent
        self.uploadProtocol = configuration.uploadProtocol
        self.dialect = configuration.uploadProtocol.dialect()
    }

    /// The length of the file.
    var length: Int64 { self.configuration.file.byteCount }

    /// The progress so far.
    package var progress: UploadProgress {
        UploadProgress(
            sentByteCount: max(self.reportedByteCount, self.acknowledged),
            acknowledgedByteCount: self.acknowledged,
            totalByteCount: self.length
        )
    }

    /// Traps, because the driver reported an event that cannot happen in this state.
    func unexpected(_ event: StaticString) -> Never { preconditionFailure("\(event) in an unexpected state") }
}
