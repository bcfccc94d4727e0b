// SPDX-License-Identifier: Apache-2.0

/// The reason that an upload ended without an answer of the resource.
///
/// The comment of each case says whether the record stays, so that a later call can continue.
package enum ResumableUploadFailure: Error, Hashable, Sendable {
    /// The file changed while it was sent, or it has changed since an earlier call and the caller did not ask to begin
    /// again.
    ///
    /// The record stays.
    case fileChanged(FileChange)
    /// The call was cancelled, or an exchange failed and the upload makes no further attempt.
    ///
    /// If there was an error, the driver has stored it. The record stays, if the server has named an upload.
    case interrupted
    /// The server refused a request with this status. The last response has the details.
    ///
    /// The record stays. A later call can continue, for example with other credentials.
    case refused(status: Int)
    /// The server no longer has the upload, and may have completed it before. The request must not be repeated without
    /// the caller's consent.
    ///
    /// The record was deleted: another call begins again.
    case completionUnknown
    /// The server lost the upload a second time in this call.
    ///
    /// The record was deleted: another call begins again.
    case lostTwice
    /// The file is longer than the server accepts; the limit is `nil` if the server did not say it.
    ///
    /// The record was deleted, if there was one.
    case tooLarge(limit: Int64?)
    /// The file is shorter than the server accepts.
    ///
    /// The record was deleted, if there was one.
    case tooSmall(limit: Int64)
    /// The server repeatedly refused bytes at the offset that it had named, or did not complete the upload.
    ///
    /// The record stays.
    case conflict
    /// The server repeatedly received other bytes than the client sent.
    ///
    /// The record stays.
    case checksumMismatch
    /// The server does not support the protocol, or not this version, and the file cannot be sent without it.
    ///
    /// The record stays, if the server has named an upload.
    case unsupported
    /// The server broke a rule of the protocol.
    ///
    /// The record was deleted if the upload cannot be continued; see ``UploadViolation``.
    case violation(UploadViolation)
    /// The record could not be written, or the file could not be read; the driver knows the error.
    ///
    /// The record on the disk stays as it was, and is true.
    case fileFailed
}

/// A rule that a server breaks during an upload.
///
/// The client does not send acknowledged bytes of the same upload again: a server that loses some bytes cannot be
/// trusted with the others.
package enum UploadViolation: Error, Hashable, Sendable {
    /// A response has no valid `Upload-Offset` where the protocol demands one. The record stays.
    case offsetMissing
    /// The offset is less than one that the server acknowledged before. The record was deleted.
    case offsetDecreased(acknowledged: Int64, received: Int64)
    /// The offset is greater than the length of the file, or than the end of the content that was sent. The record was
    /// deleted.
    case offsetPastEnd(end: Int64, received: Int64)
    /// The length of the upload on the server is not that of the file. The record was deleted.
    case otherLength(file: Int64, received: Int64)
    /// The server says that the upload is complete, but it does not have all bytes. The record was deleted.
    case incompleteCompletion(received: Int64)
    /// The `Location` of the upload cannot be used. There was no record, or it was deleted.
    case location(LocationViolation)
    /// The server sends limits that no request can meet. The record was deleted, if there was one.
    case limits
    /// The server allows only so short parts that the file would take too many requests. The record was deleted.
    case partsTooShort(limit: Int64)
    /// The server redirects the requests for the upload too often. The record stays.
    case tooManyRedirects
    /// A response has no `Tus-Resumable`, or names another version. The record stays.
    case tusVersion

    /// Whether the record stays, so that a later call can continue the upload in spite of the violation.
    var keepsRecord: Bool {
        switch self {
        case .offsetMissing, .tooManyRedirects, .tusVersion: true
        case .offsetDecreased, .offsetPastEnd, .otherLength, .incompleteCompletion, .location, .limits, .partsTooShort:
            false
        }
    }
}
