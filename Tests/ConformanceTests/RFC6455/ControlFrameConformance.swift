// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("RFC 6455 §5.5: control frames")
struct ControlFrameConformance {
    private static let longest = String(repeating: "x", count: 125)
    private static let longestReason = String(repeating: "r", count: 123)

    static let accepted: [Vector<MessageExpectation>] = [
        .init("§5.5.2", "an empty ping", frame(0x89), .decodes("ping ")),
        .init("§5.5.2", "the longest ping", frame(0x89, longest), .decodes("ping \(longest)")),
        .init("§5.5.3", "a pong that nobody asked for", frame(0x8A, "a"), .decodes("pong a")),
        .init(
            "§5.5.2",
            "between messages",
            frame(0x81, "a") + frame(0x89) + frame(0x81, "b"),
            .decodes("text a", "ping ", "text b")
        ),
        .init("§5.5.1", "an empty Close", frame(0x88), .decodes("close - ")),
        .init("§5.5.1", "a code", closeFrame(1000), .decodes("close 1000 ")),
        .init("§5.5.1", "a code and a reason", closeFrame(1000, "bye"), .decodes("close 1000 bye")),
        .init("§5.5.1", "a reason in UTF-8", closeFrame(1001, "größer 😀"), .decodes("close 1001 größer 😀")),
        .init("§5.5.1", "the longest reason", closeFrame(4999, longestReason), .decodes("close 4999 \(longestReason)")),
        .init("§5.5.1", "what follows is ignored", closeFrame(1000) + frame(0x81, "a"), .decodes("close 1000 ")),
        .init("§5.5.1", "also if it is no frame", closeFrame(1000) + [0xFF, 0xFF, 0xFF], .decodes("close 1000 ")),
        .init("§5.5.1", "a second Close, too", closeFrame(1000) + closeFrame(1001), .decodes("close 1000 ")),
    ]

    static let refused: [Vector<MessageExpectation>] = [
        .init("§5.5", "a ping of 126 bytes", [0x89, 126, 0, 126], .breaks(.controlFrameTooLong)),
        .init("§5.5", "a pong with a length of 64 bits", [0x8A, 127, 0], .breaks(.controlFrameTooLong)),
        .init("§5.5", "a Close of 126 bytes", [0x88, 126, 0, 126], .breaks(.controlFrameTooLong)),
        .init("§5.5", "a ping without FIN", frame(0x09), .breaks(.fragmentedControlFrame)),
        .init("§5.5", "a pong without FIN", frame(0x0A, "a"), .breaks(.fragmentedControlFrame)),
        .init("§5.5", "a Close without FIN", frame(0x08), .breaks(.fragmentedControlFrame)),
        .init("§5.5.1", "half a code", frame(0x88, [3]), .breaks(.truncatedCloseCode)),
        .init("§5.5.1", "a reason that is not UTF-8", frame(0x88, [3, 0xE8, 0xFF]), .breaks(.invalidCloseReason)),
        .init("§5.5.1", "a reason cut in a character", frame(0x88, [3, 0xE8, 0xC3]), .breaks(.invalidCloseReason)),
        .init("§5.5.1", "a surrogate", frame(0x88, [3, 0xE8, 0xED, 0xA0, 0x80]), .breaks(.invalidCloseReason)),
    ]

    @Test(arguments: accepted)
    func `control frames are given as a whole`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: refused)
    func `malformed control frames are refused`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(
        "§7.4: a Close frame may contain these codes",
        arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
    )
    func valid(_ code: UInt16) {
        Vector("§7.4", "\(code)", closeFrame(code, "x"), MessageExpectation.decodes("close \(code) x")).check()
    }

    @Test(
        "§7.4: a Close frame must not contain these codes",
        arguments: [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 1999, 2000, 2999, 5000, 65535]
    )
    func invalid(_ code: UInt16) {
        Vector("§7.4", "\(code)", closeFrame(code, "x"), MessageExpectation.breaks(.invalidCloseCode(code))).check()
    }
}
