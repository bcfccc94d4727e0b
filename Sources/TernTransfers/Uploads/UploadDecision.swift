// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernRequests

/// The meaning of a final response for an upload, which depends only on the response and the ``UploadExchange``.
package enum UploadDecision: Hashable, Sendable {
    case answer(UploadAnswer)
    /// The offset is `nil` if the response does not show how many bytes the server has.
    case created(UploadURL, offset: Int64?)
    /// The response does not end the upload.
    case appended(offset: Int64?)
    /// The server has named the offset, as the client asked.
    case located(offset: Int64, isComplete: Bool)
    /// The upload is complete, and the answer is lost.
    case completed
    /// The client and the server do not agree on the state of the upload: ask for the offset.
    case conflict
    /// The server no longer has the upload.
    case gone
    /// The content or the file is longer than the server accepts.
    case tooLarge
    /// The server received other bytes than the client sent.
    case checksumMismatch
    /// The server refuses the request for now.
    case unavailable(status: Int)
    /// The upload is at another URL.
    case redirect(UploadURL, isPermanent: Bool)
    /// The server no longer has the upload that the client cancels.
    case cancelled
    case fail(ResumableUploadFailure)
}

package struct UploadExchange: Hashable, Sendable {
    package let request: UploadRequest
    package let fileByteCount: Int64
    package let location: UploadURL?
    package let transientStatusCodes: Set<Int>

    package init(
        _ request: UploadRequest,
        fileByteCount: Int64,
        location: UploadURL?,
        transientStatusCodes: Set<Int>
    ) {
        self.request = request
        self.fileByteCount = fileByteCount
        self.location = location
        self.transientStatusCodes = transientStatusCodes
    }

    /// Whether the content of the request is the rest of the file.
    package var completes: Bool { self.request.body?.upperBound == self.fileByteCount }

    /// Returns the URL in the only `Location` of a response.
    func location(in response: UploadResponse) throws(LocationViolation) -> UploadURL {
        let values = response.fields[values: .location]
        guard values.count == 1, let value = values.first else { throw .missing }
        return try UploadURL(location: value, relativeTo: response.url)
    }

    func redirect(_ response: UploadResponse) -> UploadDecision {
        do throws(LocationViolation) {
            return .redirect(try self.location(in: response), isPermanent: response.status == 308)
        } catch {
            return .fail(.violation(.location(error)))
        }
    }
}

/// The state of an upload that a response reports in its fields, whatever its status.
package struct UploadReport: Hashable, Sendable {
    package var limits = UploadLimits()
    package var expirationDate: HTTPDate?
    package var offset: Int64?

    package init() {}
}
