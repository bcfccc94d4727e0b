// SPDX-License-Identifier: Apache-2.0

/// The progress of sending or receiving a body.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes that the client has begun to send, or has received.
    public let byteCount: Int64
    /// The announced length of the whole body or file, in bytes; `nil` if it is not known.
    public let totalByteCount: Int64?

    package init(byteCount: Int64, totalByteCount: Int64?) {
        self.byteCount = byteCount
        self.totalByteCount = totalByteCount
    }

    /// ``byteCount`` as a fraction of ``totalByteCount``, from 0 to 1; `nil` if the length is not known.
    public var fractionCompleted: Double? {
        guard let totalByteCount = self.totalByteCount else { return nil }
        return totalByteCount > 0 ? min(1, Double(self.byteCount) / Double(totalByteCount)) : 1
    }
}
