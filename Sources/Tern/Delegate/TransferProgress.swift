// SPDX-License-Identifier: Apache-2.0

/// The progress of a transfer.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes transferred so far.
    public let byteCount: Int64
    /// The total number of bytes; `nil` if it is not known.
    public let totalByteCount: Int64?

    /// The completed fraction, from 0 to 1; `nil` if the total is not known.
    public var fractionCompleted: Double? {
        guard let totalByteCount = self.totalByteCount else { return nil }
        return totalByteCount > 0 ? min(1, Double(self.byteCount) / Double(totalByteCount)) : 1
    }
}
