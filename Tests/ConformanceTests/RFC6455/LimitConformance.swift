// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("RFC 6455 §10.4: limits")
struct LimitConformance {
    private static func limits(frame: Int = .max, message: Int = .max) -> WebSocketDecoder.Limits {
        var limits = WebSocketDecoder.Limits()
        (limits.maximumFrameByteCount, limits.maximumMessageByteCount) = (frame, message)
        return limits
    }

    static let vectors: [Vector<MessageExpectation>] = [
        .init(
            "§10.4",
            "a message of the limit",
            frame(0x81, "abcd"),
            .decodes("text abcd", limits: limits(message: 4))
        ),
        .init("§10.4", "a longer one", [0x81, 5], .breaks(.messageTooLong(limit: 4), limits: limits(message: 4))),
        .init("§10.4", "a frame of the limit", frame(0x81, "abcd"), .decodes("text abcd", limits: limits(frame: 4))),
        .init("§10.4", "a longer one", [0x81, 5], .breaks(.frameTooLong(limit: 4), limits: limits(frame: 4))),
        .init(
            "§10.4",
            "fragments of the limit",
            frame(0x01, "ab") + frame(0x80, "cd"),
            .decodes("text abcd", limits: limits(frame: 2, message: 4))
        ),
        .init(
            "§10.4",
            "fragments that are too long together",
            frame(0x01, "ab") + [0x80, 3],
            .breaks(.messageTooLong(limit: 4), limits: limits(message: 4))
        ),
        .init(
            "§10.4",
            "each message counts by itself",
            frame(0x81, "abc") + frame(0x01, "a") + frame(0x80, "bc"),
            .decodes("text abc", "text abc", limits: limits(message: 3))
        ),
        .init(
            "§10.4",
            "the longest length that can be written",
            [0x82, 127, 0x7F] + Array(repeating: 0xFF, count: 7),
            .breaks(.frameTooLong(limit: 16 << 20))
        ),
        .init(
            "§10.4",
            "the sum does not overflow",
            frame(0x02, [1]) + [0x80, 127, 0x7F] + Array(repeating: 0xFF, count: 7),
            .breaks(.messageTooLong(limit: .max), limits: limits())
        ),
        .init(
            "§10.4",
            "a control frame is not limited",
            frame(0x89, "abc"),
            .decodes("ping abc", limits: limits(frame: 0))
        ),
        .init("§10.4", "an empty message fits", frame(0x81), .decodes("text ", limits: limits(frame: 0, message: 0))),
    ]

    @Test(arguments: vectors)
    func `the limits hold`(_ vector: Vector<MessageExpectation>) { vector.check() }
}
