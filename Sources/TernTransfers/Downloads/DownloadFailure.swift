// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernRequests

package enum DownloadFailure: Error, Hashable, Sendable {
    /// The record, if any, stays: a later call may continue, also with another query in the URL, such as a new signature.
    case status(Int)
    /// Two responses of the call could not be used, the second for this reason; the record, if any, stays.
    case restartedTwice(RestartReason)
    /// The server broke a rule in the answer to a request for the whole representation; the record, if any, stays.
    case violation(RangeViolation)
    /// The driver has stored the error; the partial file and its record stay, unless no later call can continue the download.
    case interrupted
    /// The driver knows the error; the record on the disk, if any, stays as it was, and is true.
    case fileFailed
    /// The partial file and the record, if any, were deleted.
    case digestMismatch(HashAlgorithm, TransferDigest.Source)
}

package enum UnsuitableRequest: Error, Hashable, Sendable {
    /// Only `GET` has ranges (RFC 9110 §14.2).
    case method
    /// The request has a body, which perhaps can be read only once.
    case body
    /// The request has `Range` or `If-Range` already.
    case range

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
