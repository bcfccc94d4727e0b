// SPDX-License-Identifier: Apache-2.0

/// The type of a frame (RFC 9113 §6); the client ignores frames of unknown types (§5.5).
package struct FrameType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let data = FrameType(rawValue: 0x0)
    package static let headers = FrameType(rawValue: 0x1)
    package static let priority = FrameType(rawValue: 0x2)
    package static let reset = FrameType(rawValue: 0x3)
    package static let settings = FrameType(rawValue: 0x4)
    package static let pushPromise = FrameType(rawValue: 0x5)
    package static let ping = FrameType(rawValue: 0x6)
    package static let goAway = FrameType(rawValue: 0x7)
    package static let windowUpdate = FrameType(rawValue: 0x8)
    package static let continuation = FrameType(rawValue: 0x9)
    /// ALTSVC (RFC 7838 §4).
    package static let alternativeServices = FrameType(rawValue: 0xA)
    /// ORIGIN (RFC 8336 §2).
    package static let origin = FrameType(rawValue: 0xC)
    /// PRIORITY_UPDATE (RFC 9218 §7.1).
    package static let priorityUpdate = FrameType(rawValue: 0x10)

    package var isKnown: Bool { self.rawValue <= Self.continuation.rawValue }

    package var section: String { self.isKnown ? "RFC 9113 §6.\(self.rawValue + 1)" : "RFC 9113 §5.5" }
}

extension FrameType: CustomStringConvertible {
    package var description: String {
        let names = [
            "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE",
            "CONTINUATION",
        ]
        return self.isKnown ? names[Int(self.rawValue)] : "\(self.rawValue)"
    }
}
