// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a Close frame says (RFC 6455 §5.5.1).
public struct CloseFrame: Hashable, Sendable {
    /// Why the connection is closed; `nil` if nothing is said.
    public let code: CloseCode?

    /// The reason in words, for people who look for errors; empty if there are none.
    public let reason: String

    /// The most bytes that a reason may have: a control frame's payload without the code.
    public static let maximumReasonByteCount = FrameEncoder.maximumControlPayloadByteCount - 2

    /// A Close frame that says nothing.
    public static let empty = CloseFrame()

    private init() { (self.code, self.reason) = (nil, "") }

    /// Creates a frame to send.
    ///
    /// - Parameters:
    ///   - code: why the connection is closed.
    ///   - reason: the reason in words, of at most 123 bytes in UTF-8; empty by default.
    /// - Throws: what may not be sent.
    public init(_ code: CloseCode, reason: String = "") throws(CloseFrameError) {
        guard code.isValidOnWire else { throw .codeNotForWire(code) }
        let byteCount = reason.utf8.count
        guard byteCount <= Self.maximumReasonByteCount else { throw .reasonTooLong(byteCount: byteCount) }
        (self.code, self.reason) = (code, reason)
    }

    /// What a ``WebSocketDecoder`` found in a Close frame, which it has checked.
    init(received code: CloseCode?, reason: String) { (self.code, self.reason) = (code, reason) }

    /// How many bytes ``encodePayload(into:)`` writes: 0, or 2...125.
    public var payloadByteCount: Int { self.code == nil ? 0 : 2 + self.reason.utf8.count }

    /// Appends the payload of the frame: nothing, or the code in network order, then the reason.
    ///
    /// - Parameter output: where to write; must have room for ``payloadByteCount`` bytes, or this traps.
    public func encodePayload(into output: inout OutputRawSpan) {
        guard let code = self.code else { return }
        output.append(code.rawValue.bigEndian, as: UInt16.self)
        for byte in self.reason.utf8 { output.append(byte) }
    }
}

/// Why a Close frame cannot be sent.
@nonexhaustive
public enum CloseFrameError: Error, Hashable, Sendable {
    /// The code must not be in a Close frame (RFC 6455 §7.4.1); see `CloseCode.isValidOnWire`.
    case codeNotForWire(CloseCode)
    /// The reason has more than 123 bytes in UTF-8 (RFC 6455 §5.5).
    case reasonTooLong(byteCount: Int)
}

extension CloseFrameError: CustomStringConvertible {
    /// What is wrong; its wording may change.
    public var description: String {
        switch self {
        case .codeNotForWire(let code): "The close code \(code) must not be sent."
        case .reasonTooLong(let byteCount): "The reason of \(byteCount) bytes is longer than 123."
        }
    }
}

extension CloseFrameError: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.description }
}
