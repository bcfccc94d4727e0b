// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import Testing

@Suite("WebSocketViolation")
struct WebSocketViolationTests {
    static let all: [(WebSocketViolation, String, CloseCode)] = [
        (.reservedBit, "RFC 6455 §5.2", .protocolError),
        (.compressedControlFrame, "RFC 7692 §6.1", .protocolError),
        (.compressedContinuation, "RFC 7692 §6.1", .protocolError),
        (.unknownOpcode(3), "RFC 6455 §5.2", .protocolError),
        (.fragmentedControlFrame, "RFC 6455 §5.5", .protocolError),
        (.controlFrameTooLong, "RFC 6455 §5.5", .protocolError),
        (.maskedFrame, "RFC 6455 §5.1", .protocolError),
        (.lengthNotMinimal, "RFC 6455 §5.2", .protocolError),
        (.lengthTooLarge, "RFC 6455 §5.2", .protocolError),
        (.unexpectedContinuation, "RFC 6455 §5.4", .protocolError),
        (.interruptedMessage, "RFC 6455 §5.4", .protocolError),
        (.invalidText, "RFC 6455 §8.1", .invalidPayloadData),
        (.frameTooLong(limit: 4711), "RFC 6455 §10.4", .messageTooBig),
        (.messageTooLong(limit: 4711), "RFC 6455 §10.4", .messageTooBig),
        (.corruptCompression, "RFC 7692 §7.2.2", .invalidPayloadData),
        (.cannotInflate, "RFC 7692 §7.2.2", .internalError),
        (.truncatedCloseCode, "RFC 6455 §5.5.1", .protocolError),
        (.invalidCloseCode(999), "RFC 6455 §7.4", .protocolError),
        (.invalidCloseReason, "RFC 6455 §5.5.1", .invalidPayloadData),
        (.endedWithoutClose, "RFC 6455 §7.1.5", .abnormalClosure),
    ]

    @Test(arguments: all)
    func `a violation names its section, its answer and what is wrong`(
        _ violation: WebSocketViolation,
        _ section: String,
        _ code: CloseCode
    ) {
        #expect(violation.section == section)
        #expect(violation.closeCode == code)
        #expect(violation.reason.hasSuffix("."))
        #expect(violation.reason.count > 20)
        #expect(violation.description == "\(violation.reason) (\(section))")
    }

    @Test
    func `no two rules have the same reason`() {
        #expect(Set(Self.all.map(\.0.reason)).count == Self.all.count)
    }

    @Test
    func `only the end without a Close frame has no answer`() {
        #expect(Self.all.filter { !$0.2.isValidOnWire }.map(\.0) == [.endedWithoutClose])
    }

    @Test
    func `a reason names the limit, the code or the opcode`() {
        #expect(WebSocketViolation.frameTooLong(limit: 4711).reason.contains("4711"))
        #expect(WebSocketViolation.messageTooLong(limit: 4711).reason.contains("4711"))
        #expect(WebSocketViolation.invalidCloseCode(999).reason.contains("999"))
        #expect(WebSocketViolation.unknownOpcode(13).reason.contains("13"))
    }

    @Test
    func `a violation is small enough to be thrown cheaply`() {
        #expect(MemoryLayout<WebSocketViolation>.size <= 9)
    }
}
