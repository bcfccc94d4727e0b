// SPDX-License-Identifier: Apache-2.0

/// The priority of a transfer in its queue: a higher one starts first, but does not interrupt a running transfer.
public enum TransferPriority: Int, CaseIterable, Hashable, Sendable {
    /// After all other transfers.
    case low
    /// The default.
    case normal
    /// Before all other transfers.
    case high
}

extension TransferPriority: Comparable {
    /// Returns whether a priority is lower than another one.
    public static func < (one: TransferPriority, other: TransferPriority) -> Bool { one.rawValue < other.rawValue }
}
