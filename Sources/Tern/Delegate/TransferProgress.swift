// SPDX-License-Identifier: Apache-2.0

/// How far a transfer has come.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes are done.
    public let byteCount: Int64
    /// How many there are in all; `nil` if that is not known.
    public let totalByteCount: Int64?

    /// How much is done, from 0 to 1; `nil` if the total is not known.
    public var fractionCompleted: Double? {
        guard let totalByteCount = self.totalByteCount else { return nil }
        return totalByteCount > 0 ? min(1, Double(self.byteCount) / Double(totalByteCount)) : 1
    }
}
