// SPDX-License-Identifier: Apache-2.0

/// The identifier of a stream: a number of 31 bits, of which 0 stands for the connection itself (RFC 9113 §5.1.1).
package struct HTTP2StreamID: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue & 0x7FFF_FFFF }

    package static let connection = HTTP2StreamID(rawValue: 0)
    package static let first = HTTP2StreamID(rawValue: 1)
    package static let highest = HTTP2StreamID(rawValue: 0x7FFF_FFFF)

    /// "Streams initiated by a client MUST use odd-numbered stream identifiers" (RFC 9113 §5.1.1).
    package var isClientInitiated: Bool { self.rawValue & 1 == 1 }

    package static func < (left: HTTP2StreamID, right: HTTP2StreamID) -> Bool { left.rawValue < right.rawValue }
}

extension HTTP2StreamID: CustomStringConvertible {
    package var description: String { "stream \(self.rawValue)" }
}
