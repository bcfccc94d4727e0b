// SPDX-License-Identifier: Apache-2.0

/// The reason that an upload ended without an answer of the resource; each case says whether the record stays for a later call.
package enum ResumableUploadFailure: Error, Hashable, Sendable {
    /// The file changed while it was sent or since an earlier call; the record, if any, stays.
    case fileChanged(FileChange)
    /// The driver has stored the error, if any; the record stays, if the server has named an upload.
    case interrupted
    /// The last response has the details; the record, if any, stays: a later call may continue, for example with other credentials.
    case refused(status: Int)
    /// The server may have completed the upload that it no longer has, so the request must not be repeated without the caller's
    /// consent; the record, if any, was deleted.
    case completionUnknown
    /// The server lost the upload a second time in this call; the record, if any, was deleted.
    case lostTwice
    /// The file or a part is longer than the server accepts; the limit is `nil` if unknown. The record, if any, was deleted.
    case tooLarge(limit: Int64?)
    /// The file is shorter than the server accepts; the record, if any, was deleted.
    case tooSmall(limit: Int64)
    /// The server too often refused bytes at its own offset, took too few, or did not complete the upload; the record stays.
    case conflict
    /// The server repeatedly received other bytes than the client sent; the record stays.
    case checksumMismatch
    /// The server does not support the protocol, or this version of it; the record, if any, stays.
    case unsupported
    /// The record was deleted if the upload cannot be continued; see ``UploadViolation``.
    case violation(UploadViolation)
    /// The driver knows the error; the record on the disk, if any, stays as it was, and is true.
    case fileFailed
}

/// A rule that a server breaks during an upload.
///
/// The client does not send acknowledged bytes again: a server that loses some bytes cannot be trusted with the others.
package enum UploadViolation: Error, Hashable, Sendable {
    /// A response has no usable `Upload-Offset` where the protocol demands one; the record stays.
    case offsetMissing
    /// The offset is less than an acknowledged one; the record, if any, was deleted.
    case offsetDecreased(acknowledged: Int64, received: Int64)
    /// The offset is past the end of the file, or of the request's content; the record, if any, was deleted.
    case offsetPastEnd(end: Int64, received: Int64)
    /// The server expects a file of another length; the record, if any, was deleted.
    case otherLength(file: Int64, received: Int64)
    /// The server wrongly says that the upload is complete; the record, if any, was deleted.
    case incompleteCompletion(received: Int64)
    /// The `Location` of the upload is missing or cannot be used; the record, if any, was deleted.
    case location(LocationViolation)
    /// No request can meet the limits of the server, or it made the parts shorter too often; the record, if any, was deleted.
    case limits
    /// The parts that the server allows are so short that the file would take too many requests; the record, if any, was deleted.
    case partsTooShort(limit: Int64)
    /// The server redirected the requests for the upload too often; the record stays.
    case tooManyRedirects
    /// A response has no `Tus-Resumable`, names another version, or refuses this one (412); the record stays.
    case tusVersion

    var keepsRecord: Bool {
        switch self {
        case .offsetMissing, .tooManyRedirects, .tusVersion: true
        case .offsetDecreased, .offsetPastEnd, .otherLength, .incompleteCompletion, .location, .limits, .partsTooShort:
            false
        }
    }
}
