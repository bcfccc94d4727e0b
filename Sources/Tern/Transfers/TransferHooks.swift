// SPDX-License-Identifier: Apache-2.0
import TernErrors
package import TernTransport

/// What the owner of a durable call, such as a queue of transfers, takes part in while the call runs.
///
/// A delegate is told about the same events later, and by another task. These functions are part of the call.
package struct TransferHooks: Sendable {
    /// Called when bytes of the file went over the network.
    ///
    /// Must return soon, because the call waits for it. The arguments are the progress of the whole file, and the
    /// number of bytes that count for a later call: for an upload, those that the server has acknowledged.
    package let progress: @Sendable (TransferProgress, _ safeByteCount: Int64) -> Void
    /// Called when the file of a download is in its place, or when an upload has its final answer, before the call
    /// deletes its record.
    ///
    /// If the process ends before the function has returned, the record lets the next call come to this point again.
    /// If the function throws, the call ends with `.fileFailed`, and the record stays. The arguments are the response, if
    /// there is one, and the length of the file. The response to an upload may have any status.
    package let confirm: @Sendable (Response?, _ byteCount: Int64) async throws(FileFailure) -> Void

    /// Creates hooks.
    package init(
        progress: @escaping @Sendable (TransferProgress, _ safeByteCount: Int64) -> Void,
        confirm: @escaping @Sendable (Response?, _ byteCount: Int64) async throws(FileFailure) -> Void
    ) {
        self.progress = progress
        self.confirm = confirm
    }
}
