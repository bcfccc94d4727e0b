// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernRequests

/// The meaning of a final response for an upload.
///
/// The decision depends only on the response and the ``UploadExchange``, so tests need no state machine.
package enum UploadDecision: Hashable, Sendable {
    /// The response is the answer of the call.
    case answer(UploadAnswer)
    /// The server has created an upload with this many bytes; `nil` if the server did not say the number.
    case created(UploadURL, offset: Int64?)
    /// The server has this many bytes, and waits for more; `nil` if the server did not say the number.
    case appended(offset: Int64?)
    /// The server was asked for the offset, and has this many bytes.
    case located(offset: Int64, isComplete: Bool)
    /// The upload is complete, and the answer is lost.
    case completed
    /// The client and the server do not agree on the state of the upload: ask for the offset.
    case conflict
    /// The server no longer has the upload.
    case gone
    /// The content is longer than the server accepts.
    case tooLarge
    /// The server received other bytes than the client sent.
    case checksumMismatch
    /// The server refuses the request for now.
    case unavailable(status: Int)
    /// The upload is at another URL.
    case redirect(UploadURL, isPermanent: Bool)
    /// The server has forgotten the upload, as the client asked.
    case cancelled
    /// The upload cannot go on.
    case fail(ResumableUploadFailure)
}

/// The request that a response belongs to, with the facts that the decision about the response needs.
package struct UploadExchange: Hashable, Sendable {
    /// The request.
    package let request: UploadRequest
    /// The length of the file.
    package let fileByteCount: Int64
    /// The URL of the upload; `nil` if the server has not named one.
    package let location: UploadURL?
    /// The statuses that mean a temporary problem, such as 503.
    package let transientStatusCodes: Set<Int>

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - fileByteCount: The length of the file.
    ///   - location: The URL of the upload, if the server has named one.
    ///   - transientStatusCodes: The statuses that mean a temporary problem, such as 503.
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

    /// Returns the decision for a redirect of a request for an upload.
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
    /// The limits; those that are not in the response are `nil`.
    package var limits = UploadLimits()
    /// The time when the server may delete the upload, if the response says it.
    package var expirationDate: HTTPDate?
    /// The number of bytes that the server has, if the response says it.
    package var offset: Int64?

    /// Creates an empty report.
    package init() {}
}
