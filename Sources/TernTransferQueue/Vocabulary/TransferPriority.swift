// SPDX-License-Identifier: Apache-2.0

/// The priority of a transfer in its queue: of those that may start, one with the highest priority starts first, unless the network
/// is gone; running transfers go on.
public enum TransferPriority: Int, CaseIterable, Hashable, Sendable {
    /// Lower than the default.
    case low
    /// The default.
    case normal
    /// Higher than the default.
    case high
}

extension TransferPriority: Comparable {
    /// Returns whether a priority is lower than another one.
    public static func < (one: TransferPriority, other: TransferPriority) -> Bool { one.rawValue < other.rawValue }
}
