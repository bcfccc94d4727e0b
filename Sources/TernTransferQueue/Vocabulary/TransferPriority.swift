// SPDX-License-Identifier: Apache-2.0

/// The priority of a transfer in its queue.
///
/// A transfer of a higher priority starts first. A running transfer is not interrupted for one of a higher priority.
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
