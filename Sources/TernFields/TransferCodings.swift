// SPDX-License-Identifier: Apache-2.0

/// A transfer coding that the client can decode, apart from `chunked` (RFC 9112 §7.2).
package enum TransferCoding: UInt8, Sendable {
    case gzip = 1
    case deflate = 2
}

/// The transfer codings of a body without `chunked`, in the order in which the sender applied them, in a single byte.
package struct TransferCodings: Hashable, Sendable {
    package static let maximumCount = 3

    /// Two bits for each coding; the lowest bits are the coding that was applied last.
    private var bits: UInt8 = 0

    package init() {}

    package var isEmpty: Bool { self.bits == 0 }

    package var count: Int { self.bits == 0 ? 0 : self.bits < 4 ? 1 : self.bits < 16 ? 2 : 3 }

    /// Adds the coding that was applied after the others; returns whether there was room for it.
    package mutating func append(_ coding: TransferCoding) -> Bool {
        guard self.count < Self.maximumCount else { return false }
        self.bits = self.bits << 2 | coding.rawValue
        return true
    }

    package mutating func popLast() -> TransferCoding? {
        defer { self.bits >>= 2 }
        return TransferCoding(rawValue: self.bits & 3)
    }
}
