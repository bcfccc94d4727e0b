// SPDX-License-Identifier: Apache-2.0

/// The reason that an upload begins again at the first byte.
package enum UploadRestartReason: Hashable, Sendable {
    case recordUnusable(RecordProblem)
    /// The record is about another resource, to which the bytes on the server belong.
    case otherResource
    case otherProtocol
    /// The file has changed, and the caller asked to begin again in this case.
    case fileChanged(FileChange)
    case expired
    case gone
}
