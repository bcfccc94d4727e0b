// SPDX-License-Identifier: Apache-2.0

/// The number of a transfer in its queue, in the order of adding, from 1.
///
/// The queue does not give the number of a removed transfer to another one, unless its own file was damaged or deleted. A later
/// process that opens the queue sees the same numbers.
public struct TransferID: Hashable, Sendable {
    static let maximum: Int64 = 9_999_999_999

    /// The number, from 1 to 9,999,999,999.
    public let number: Int64

    /// Creates an identifier; `nil` if the number is not from 1 to 9,999,999,999.
    public init?(_ number: Int64) {
        guard 1...Self.maximum ~= number else { return nil }
        self.number = number
    }
}

extension TransferID: Comparable {
    /// Returns whether the first number is less than the second.
    public static func < (one: TransferID, other: TransferID) -> Bool { one.number < other.number }
}

extension TransferID: LosslessStringConvertible {
    /// Creates an identifier from its decimal digits, such as `17`; `nil` for any other text, such as `017`.
    public init?(_ description: String) {
        guard let number = Int64(description), "\(number)" == description else { return nil }
        self.init(number)
    }

    /// The decimal digits, such as `17`.
    public var description: String { "\(self.number)" }
}
