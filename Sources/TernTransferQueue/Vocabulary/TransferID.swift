// SPDX-License-Identifier: Apache-2.0

/// The number of a transfer in its queue.
///
/// A queue numbers its transfers in the order in which they are added, from 1, and never uses a number again. The
/// number stays the same when another process opens the queue.
public struct TransferID: Hashable, Sendable {
    /// The maximum number: 10 decimal digits.
    static let maximum: Int64 = 9_999_999_999

    /// The number, from 1 to 9,999,999,999.
    public let number: Int64

    /// Creates an identifier.
    ///
    /// - Parameter number: The number. The result is `nil` if it is not from 1 to 9,999,999,999.
    public init?(_ number: Int64) {
        guard 1...Self.maximum ~= number else { return nil }
        self.number = number
    }
}

extension TransferID: Comparable {
    /// Returns whether a transfer was added before another one.
    public static func < (one: TransferID, other: TransferID) -> Bool { one.number < other.number }
}

extension TransferID: LosslessStringConvertible {
    /// Creates an identifier from its decimal digits.
    ///
    /// - Parameter description: The digits, such as `17`. The result is `nil` if the text has other characters, begins
    ///   with a zero, or is not a number from 1 to 9,999,999,999.
    public init?(_ description: String) {
        guard let number = Int64(description), "\(number)" == description else { return nil }
        self.init(number)
    }

    /// The decimal digits, such as `17`.
    public var description: String { "\(self.number)" }
}
