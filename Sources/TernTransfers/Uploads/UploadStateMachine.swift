// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// One call of an upload that continues after interruptions, from the record on the disk to the answer of the resource.
///
/// It sends a byte only at the offset that the server has named or confirmed last, and never sends an acknowledged byte again in
/// one upload. It lets the resource process the file a second time only if the method or the caller allows that, or if the server
/// certainly did not complete the first upload. The driver may stop after any step: the record on the disk is true.
package struct UploadStateMachine: Sendable {
    enum State: Sendable {
        /// The call has not begun. Exits: `requesting`, `settling`, `ended`.
        case ready
        /// The driver has not reported the final response. Exits: `requesting` with the next request, `settling`, `ended`.
        case requesting(UploadRequest)
        /// The driver performs these actions. Exits: `settling` with other actions, `requesting`, `ended`.
        case settling([RecordStep], next: Next)
        /// The outcome is known. This state is final.
        case ended(UploadOutcome)
    }

    enum Next: Sendable {
        case send(UploadRequest, after: Duration)
        case end(UploadOutcome)
    }

    /// The number of acknowledged bytes after which the record is written again.
    package static let recordInterval: Int64 = 64 << 20
    /// The maximum number of conflicts (409) about the offset without progress.
    ///
    /// Beyond it, the call throws `ClientError.uploadFailed(.offsetsDiffer)`.
    package static let maximumConflictCount = 3
    /// The maximum number of parts without progress that the server reports as damaged (460).
    ///
    /// Beyond it, the call throws `ClientError.uploadFailed(.damaged)`.
    package static let maximumMismatchCount = 3
    /// The maximum number of redirects of an upload, as in `RedirectPolicy`.
    ///
    /// Beyond it, the call throws `ClientError.protocolViolation`.
    package static let maximumRedirectCount = 20
    /// The maximum number of times that the parts of an upload become shorter.
    ///
    /// Beyond it, the call throws `ClientError.protocolViolation`. Halving the longest file takes fewer steps; a server that
    /// lowers its limit byte by byte ends the call.
    package static let maximumShrinkCount = 50
    /// The smallest part that is tried after the server refused a longer one without a limit.
    package static let smallestPartByteCount: Int64 = 256 << 10
    /// The length below which a part is short, if it is not the last and the server allows no longer one.
    package static let shortPartByteCount: Int64 = 64 << 10
    /// The maximum number of parts below 64 KiB that the server demands, without the last and those that the caller has chosen.
    ///
    /// Beyond it, the call throws `ClientError.protocolViolation`. A server that allows one byte in each request would otherwise
    /// get one request for each byte of the file.
    package static let maximumShortPartCount = 1000

    var configuration: UploadConfiguration
    let stored: StoredUpload
    /// Whether the owner of the call stores that the server has accepted the file, before the record is deleted.
    package var confirms = false

    // MARK: The upload on the server

    var state = State.ready
    var uploadProtocol: UploadProtocol
    var dialect: any UploadDialect
    var location: UploadURL?
    /// The number of bytes that the server has; `nil` if the client must ask for it.
    var offset: Int64?
    var acknowledged: Int64 = 0
    var limits = UploadLimits()
    var creationDate = HTTPDate(secondsSince1970: 0)
    var expirationDate: HTTPDate?
    /// Whether all bytes of a request that completes the upload were sent, and no later response has shown it to be incomplete.
    var mayBeComplete = false

    // MARK: The record

    var hasRecord: Bool
    var lastRecord: UploadRecord?

    // MARK: What the call has seen

    package internal(set) var restart: UploadRestartReason?
    /// The number of bytes that the server had when this call continued an upload; 0 for a new one.
    package internal(set) var resumedByteCount: Int64 = 0
    /// `nil` if the upload is not being cancelled.
    var outcomeAfterCancelling: UploadOutcome?
    var hasLostUpload = false
    var failedAttemptCount = 0
    var conflictCount = 0
    var mismatchCount = 0
    var redirectCount = 0
    var shrinkCount = 0
    var shortPartCount = 0
    var progressMark: Int64 = 0
    /// The maximum length of a part, after the server refused a longer one.
    var refusedLimit: Int64?
    /// Whether to create the upload without content, because the server refused the content as too long.
    var createsWithoutContent = false
    var sentInRequest: Int64 = 0
    /// The status of the last response to a request that completes the upload.
    var lastStatus: Int?
    var reportedByteCount: Int64 = 0

    package init(_ configuration: UploadConfiguration, stored: StoredUpload) {
        self.configuration = configuration
        self.stored = stored
        self.hasRecord = stored != .absent
        self.uploadProtocol = configuration.uploadProtocol
        self.dialect = configuration.uploadProtocol.dialect()
    }

    var length: Int64 { self.configuration.file.byteCount }

    package var progress: UploadProgress {
        UploadProgress(
            sentByteCount: max(self.reportedByteCount, self.acknowledged),
            acknowledgedByteCount: self.acknowledged,
            totalByteCount: self.length
        )
    }

    func unexpected(_ event: StaticString) -> Never { preconditionFailure("\(event) in an unexpected state") }
}
