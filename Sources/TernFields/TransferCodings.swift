// SPDX-License-Identifier: Apache-2.0

/// A transfer coding that the client can decode, apart from `chunked` (RFC 9112 §7.2).
package enum TransferCoding: UInt8, Sendable {
    /// `gzip`, or its other name `x-gzip`.
    case gzip = 1
    /// `deflate`.
    case deflate = 2
}

/// The transfer codings of a body without `chunked`, in the order in which the sender applied them.
///
/// The type needs a single byte, so it makes the head of a response without such codings no larger.
package struct TransferCodings: Hashable, Sendable {
    /// The maximum number of codings: three, as for content codings.
    package static let maximumCount = 3

    /// Two bits for each coding; the lowest bits are the coding that was applied last.
    private var bits: UInt8 = 0

    /// Creates a list without codings.
    package init() {}

    /// Whether there is no coding.
    package var isEmpty: Bool { self.bits == 0 }

    /// The number of codings.
    package var count: Int { self.bits == 0 ? 0 : self.bits < 4 ? 1 : self.bits < 16 ? 2 : 3 }

    /// Adds the coding that was applied after the others.
    ///
    /// - Parameter coding: The coding.
    /// - Returns: Whether there was room for it.
    package mutating func append(_ coding: TransferCoding) -> Bool {
        guard self.count < Self.maximumCount else { return false }
        self.bits = self.bits << 2 | coding.rawValue
        return true
    }

    /// Removes the coding that was applied last, and returns it.
    ///
    /// - Returns: The coding; `nil` if there is none.
    package mutating func popLast() -> TransferCoding? {
        defer { self.bits >>= 2 }
        return TransferCoding(rawValue: self.bits & 3)
    }
}
