// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernRequests

/// The reason that a durable download ended without the complete file.
package enum DownloadFailure: Error, Hashable, Sendable {
    /// The server answered with this status, and the response contains no part of the file.
    ///
    /// The record, if there is one, stays. A later call can continue, also with another query in the URL, such as a new
    /// signature.
    case status(Int)
    /// The server broke the rules about ranges, or changed the resource, more than once in the call.
    ///
    /// The record stays.
    case restartedTwice(RestartReason)
    /// The server broke a rule in the answer to a request for the whole representation.
    ///
    /// The record stays.
    case violation(RangeViolation)
    /// The exchange failed or the server sent too little, and the download makes no further attempt.
    ///
    /// The driver has stored the error. The partial file and its record stay, unless no later call can continue the
    /// download.
    case interrupted
    /// The file could not be written, synchronized or moved; the driver knows the error.
    ///
    /// The record on the disk stays as it was, and is true.
    case fileFailed
    /// The complete file does not have the expected digest. The partial file and the record were deleted.
    case digestMismatch(TransferDigest.Algorithm, TransferDigest.Source)
}

/// The reason that a request cannot be used for a durable download.
package enum UnsuitableRequest: Error, Hashable, Sendable {
    /// The method is not `GET`. Only `GET` has ranges (RFC 9110 §14.2).
    case method
    /// The request has a body, which may be readable only once.
    case body
    /// The caller has set `Range` or `If-Range`, which the download sets itself.
    case range

    /// Finds the reason that a request cannot be used.
    ///
    /// - Parameter request: The request of the caller. The result is `nil` if the request can be used.
    package init?(_ request: Request) {
        if request.method != .get {
            self = .method
        } else if request.body != nil {
            self = .body
        } else if request.fields.contains(.range) || request.fields.contains(.ifRange) {
            self = .range
        } else {
            return nil
        }
    }
}
