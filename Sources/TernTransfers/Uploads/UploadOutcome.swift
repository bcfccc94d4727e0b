// SPDX-License-Identifier: Apache-2.0

/// The end of an upload.
package enum UploadOutcome: Hashable, Sendable {
    /// The last response is the answer of the call. The driver returns it, with its body.
    case answered(UploadAnswer)
    /// The server has the whole file, and its answer is lost.
    ///
    /// The answer was sent on a connection that broke, or to an earlier process. The protocol has no way to ask for the
    /// answer again. `lastStatus` is the status of the response to the request that sent the last byte, if there was
    /// one: for example 502, which a proxy sent in place of the answer.
    case completedWithoutAnswer(lastStatus: Int?)
    /// The caller cancelled the upload: the server has forgotten it, or the client knew no upload to cancel.
    case cancelled
    /// The upload is not complete, as far as the client knows.
    case failed(ResumableUploadFailure)
}

extension UploadOutcome {
    /// Whether the server has answered the upload, as far as the protocol is concerned.
    var isEndOfUpload: Bool {
        switch self {
        case .answered, .completedWithoutAnswer: true
        case .cancelled, .failed: false
        }
    }
}

/// The kind of response that ends an upload.
package enum UploadAnswer: Hashable, Sendable {
    /// The response to a plain upload: the server did not offer to continue it.
    case plain
    /// The server has processed the whole file, and answers for the resource.
    case resumable
}

/// The progress of an upload.
package struct UploadProgress: Hashable, Sendable {
    /// The number of bytes of the file that were handed to the network, including those that the server had before.
    ///
    /// Never decreases, unless the upload begins again.
    package let sentByteCount: Int64
    /// The number of bytes that the server has acknowledged.
    ///
    /// Never decreases, unless the upload begins again, or the request that creates it is sent again after a challenge
    /// or a redirect.
    package let acknowledgedByteCount: Int64
    /// The length of the file.
    package let totalByteCount: Int64

    /// Creates the progress of an upload.
    package init(sentByteCount: Int64, acknowledgedByteCount: Int64, totalByteCount: Int64) {
        self.sentByteCount = sentByteCount
        self.acknowledgedByteCount = acknowledgedByteCount
        self.totalByteCount = totalByteCount
    }
}
