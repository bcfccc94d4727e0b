// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// The functions by which the owner of a durable call, such as a queue of transfers, takes part in the call, which waits for
/// them.
package struct TransferHooks: Sendable {
    /// Receives the progress of the whole file, and the number of bytes that count for a later call; must return soon.
    package let progress: @Sendable (TransferProgress, _ safeByteCount: Int64) -> Void
    /// Called when the file of a download is in its place, or the server has accepted that of an upload, before the call deletes
    /// its record; if it throws, the record stays, and the call ends with `.fileFailed`.
    package let confirm: @Sendable (_ byteCount: Int64) async throws(FileFailure) -> Void

    package init(
        progress: @escaping @Sendable (TransferProgress, _ safeByteCount: Int64) -> Void,
        confirm: @escaping @Sendable (_ byteCount: Int64) async throws(FileFailure) -> Void
    ) {
        self.progress = progress
        self.confirm = confirm
    }
}
