// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import Testing

@Suite("CloseFrame")
struct CloseFrameTests {
    private static func payload(_ frame: CloseFrame) -> [UInt8] {
        appending(byteCount: frame.payloadByteCount) { frame.encodePayload(into: &$0) }
    }

    @Test
    func `a code is written in network order, then the reason`() throws {
        #expect(Self.payload(try CloseFrame(.normalClosure)) == [0x03, 0xE8])
        #expect(Self.payload(try CloseFrame(.goingAway, reason: "bÿ")) == [0x03, 0xE9, 0x62, 0xC3, 0xBF])
    }

    @Test
    func `an empty one has no payload`() {
        #expect(Self.payload(.empty) == [])
        #expect(CloseFrame.empty.code == nil)
        #expect(CloseFrame.empty.reason == "")
    }

    @Test(arguments: [CloseCode.noStatusReceived, .abnormalClosure, .tlsHandshakeFailure, .init(rawValue: 999)])
    func `a code that is not for the wire is refused`(_ code: CloseCode) {
        #expect(throws: CloseFrameError.reservedCode(code)) { try CloseFrame(code) }
    }

    @Test
    func `a reason has at most 123 bytes`() throws {
        let longest = String(repeating: "€", count: 41)
        #expect(try CloseFrame(.normalClosure, reason: longest).payloadByteCount == 125)
        #expect(throws: CloseFrameError.reasonTooLong(byteCount: 124)) {
            try CloseFrame(.normalClosure, reason: longest + "x")
        }
    }

    @Test
    func `a misuse says what is wrong`() {
        #expect(CloseFrameError.reservedCode(.abnormalClosure).description.contains("1006"))
        #expect(CloseFrameError.reasonTooLong(byteCount: 4711).description.contains("4711"))
    }
}
