// SPDX-License-Identifier: Apache-2.0

package enum UploadOutcome: Hashable, Sendable {
    /// The last response is the answer of the call.
    case answered(UploadAnswer)
    /// The server has the whole file, but the client has no answer, and no way to ask for it again.
    ///
    /// `lastStatus` is the status of the last response to a request with the end of the file, for example 502 from a proxy.
    case completedWithoutAnswer(lastStatus: Int?)
    case cancelled
    /// The call failed; the server may have completed the upload all the same.
    case failed(ResumableUploadFailure)
}

package enum UploadAnswer: Hashable, Sendable {
    /// The response to a plain upload: the server made no usable offer to continue it.
    case plain
    /// The server has shown that it supports the protocol.
    case resumable
}

package struct UploadProgress: Hashable, Sendable {
    /// The number of bytes that the client has begun to send, or that the server had; decreases only if the upload begins again.
    package let sentByteCount: Int64
    /// Decreases only if the upload begins again, or if its creation is sent again after a challenge or a redirect.
    package let acknowledgedByteCount: Int64
    package let totalByteCount: Int64

    package init(sentByteCount: Int64, acknowledgedByteCount: Int64, totalByteCount: Int64) {
        self.sentByteCount = sentByteCount
        self.acknowledgedByteCount = acknowledgedByteCount
        self.totalByteCount = totalByteCount
    }
}
