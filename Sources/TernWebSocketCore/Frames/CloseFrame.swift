// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// The content of a Close frame (RFC 6455 §5.5.1).
public struct CloseFrame: Hashable, Sendable {
    /// The close code, or `nil` if the frame has no code.
    public let code: CloseCode?

    /// The reason in words, for debugging; empty if the frame has no reason.
    public let reason: String

    /// The maximum length of a reason in bytes: 125 for the payload of a control frame, less 2 for the code.
    public static let maximumReasonByteCount = FrameEncoder.maximumControlPayloadByteCount - 2

    /// A Close frame without a code or a reason.
    public static let empty = CloseFrame()

    private init() { (self.code, self.reason) = (nil, "") }

    /// Creates a frame to send.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason in words, at most 123 bytes in UTF-8.
    /// - Throws: `CloseFrameError` when the code or the reason must not be sent.
    public init(_ code: CloseCode, reason: String = "") throws(CloseFrameError) {
        guard code.isValidOnWire else { throw .reservedCode(code) }
        let byteCount = reason.utf8.count
        guard byteCount <= Self.maximumReasonByteCount else { throw .reasonTooLong(byteCount: byteCount) }
        (self.code, self.reason) = (code, reason)
    }

    package init(received code: CloseCode?, reason: String) { (self.code, self.reason) = (code, reason) }

    /// The number of bytes that ``encodePayload(into:)`` writes: 0 without a code, and 2 to 125 with a code.
    public var payloadByteCount: Int { self.code == nil ? 0 : 2 + self.reason.utf8.count }

    /// Appends the code, if any, in network byte order, and the reason; traps without room for ``payloadByteCount`` bytes.
    public func encodePayload(into output: inout OutputRawSpan) {
        guard let code = self.code else { return }
        output.append(code.rawValue.bigEndian, as: UInt16.self)
        for byte in self.reason.utf8 { output.append(byte) }
    }
}

/// The reason why a Close frame cannot be sent.
@nonexhaustive
public enum CloseFrameError: Error, Hashable, Sendable {
    /// The code must not be in a Close frame (RFC 6455 §7.4); see ``CloseCode``.
    case reservedCode(CloseCode)
    /// The reason has more than 123 bytes in UTF-8 (RFC 6455 §5.5).
    case reasonTooLong(byteCount: Int)
}

extension CloseFrameError: CustomStringConvertible {
    /// One sentence that describes the error; its wording may change.
    public var description: String {
        switch self {
        case .reservedCode(let code): "The close code \(code) must not be sent in a Close frame."
        case .reasonTooLong(let byteCount): "The close reason has \(byteCount) bytes; at most 123 are allowed."
        }
    }
}

extension CloseFrameError: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? { self.description }
}
