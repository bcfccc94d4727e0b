// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("RFC 6455 §5.4: fragments")
struct FragmentationConformance {
    static let accepted: [Vector<MessageExpectation>] = [
        .init("§5.4", "two fragments", frame(0x01, "a") + frame(0x80, "b"), .decodes("text ab")),
        .init("§5.4", "three", frame(0x02, [1]) + frame(0x00, [2]) + frame(0x80, [3]), .decodes("binary [1, 2, 3]")),
        .init("§5.4", "empty ones", frame(0x01) + frame(0x00) + frame(0x80), .decodes("text ")),
        .init("§5.4", "an empty end", frame(0x01, "a") + frame(0x80), .decodes("text a")),
        .init("§5.4", "an empty start", frame(0x01) + frame(0x80, "a"), .decodes("text a")),
        .init("§5.4", "an empty middle", frame(0x01, "a") + frame(0x00) + frame(0x80, "b"), .decodes("text ab")),
        .init(
            "§5.4",
            "a ping between fragments",
            frame(0x01, "a") + frame(0x89, "p") + frame(0x80, "b"),
            .decodes("ping p", "text ab")
        ),
        .init(
            "§5.4",
            "many control frames between fragments",
            frame(0x01, "a") + frame(0x89) + frame(0x8A, "q") + frame(0x00) + frame(0x89, "p") + frame(0x80, "b"),
            .decodes("ping ", "pong q", "ping p", "text ab")
        ),
        .init(
            "§5.4",
            "a Close between fragments",
            frame(0x01, "a") + closeFrame(1001) + frame(0x80, "b"),
            .decodes("close 1001 ")
        ),
        .init(
            "§5.4",
            "a character cut by fragments",
            frame(0x01, [0xF0]) + frame(0x00, [0x9F]) + frame(0x89) + frame(0x00, [0x98]) + frame(0x80, [0x80]),
            .decodes("ping ", "text 😀")
        ),
        .init(
            "§5.4",
            "another message behind",
            frame(0x01, "a") + frame(0x80, "b") + frame(0x82, [1]),
            .decodes("text ab", "binary [1]")
        ),
    ]

    static let refused: [Vector<MessageExpectation>] = [
        .init("§5.4", "a continuation of nothing", frame(0x80, "a"), .breaks(.unexpectedContinuation)),
        .init("§5.4", "one without FIN", frame(0x00, "a"), .breaks(.unexpectedContinuation)),
        .init(
            "§5.4",
            "a continuation after a whole message",
            frame(0x81, "a") + frame(0x80, "b"),
            .breaks(.unexpectedContinuation, after: "text a")
        ),
        .init(
            "§5.4",
            "a continuation after the last one",
            frame(0x01, "a") + frame(0x80, "b") + frame(0x80, "c"),
            .breaks(.unexpectedContinuation, after: "text ab")
        ),
        .init("§5.4", "a message within another", frame(0x01, "a") + frame(0x81, "b"), .breaks(.interruptedMessage)),
        .init("§5.4", "the start of another", frame(0x01, "a") + frame(0x02, [1]), .breaks(.interruptedMessage)),
        .init(
            "§5.4",
            "after a continuation",
            frame(0x02) + frame(0x00) + frame(0x89) + frame(0x82),
            .breaks(.interruptedMessage, after: "ping ")
        ),
    ]

    @Test(arguments: accepted)
    func `fragments are joined`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: refused)
    func `fragments out of order are refused`(_ vector: Vector<MessageExpectation>) { vector.check() }
}
