// SPDX-License-Identifier: Apache-2.0

/// The progress of sending or receiving a body.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes sent or received so far.
    public let byteCount: Int64
    /// The length of the whole body in bytes; `nil` if it is not known.
    public let totalByteCount: Int64?

    package init(byteCount: Int64, totalByteCount: Int64?) {
        self.byteCount = byteCount
        self.totalByteCount = totalByteCount
    }

    /// The fraction of the body that was sent or received, from 0 to 1; `nil` if the length is not known.
    public var fractionCompleted: Double? {
        guard let totalByteCount = self.totalByteCount else { return nil }
        return totalByteCount > 0 ? min(1, Double(self.byteCount) / Double(totalByteCount)) : 1
    }
}
