// SPDX-License-Identifier: Apache-2.0

/// The reason that an upload begins again at the first byte.
package enum UploadRestartReason: Hashable, Sendable {
    /// The record cannot be used.
    case recordUnusable(RecordProblem)
    /// The record is about another resource.
    ///
    /// The bytes on the server belong to that resource, so the call begins a new upload to the resource that the caller
    /// named, and reports this reason. The bytes of the two uploads cannot be mixed, because the new upload gets
    /// another URL.
    case otherResource
    /// The record is about an upload by another protocol.
    case otherProtocol
    /// The file has changed, and the caller asked to begin again in this case.
    case fileChanged(FileChange)
    /// The lifetime of the upload on the server is over.
    case expired
    /// The server no longer has the upload.
    case gone
}
