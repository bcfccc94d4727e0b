// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("RFC 7692 §8: limits of what is inflated")
struct InflationLimitConformance {
    private static let agreement = PerMessageDeflate.Agreement()
    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    /// The letter a, 20,000 times, as zlib compresses it.
    private static let bomb: [UInt8] =
        [0xEC, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0xAC, 0xEB, 0x5F, 0xC2, 0x1A, 0x1E, 0x40, 0x01]
        + Array(repeating: 0x00, count: 18) + [0xF0, 0x60, 0x00]

    private static func limits(frame: Int = 16 << 20, message: Int = 16 << 20) -> WebSocketDecoder.Limits {
        var limits = WebSocketDecoder.Limits()
        (limits.maximumFrameByteCount, limits.maximumMessageByteCount) = (frame, message)
        return limits
    }

    static let vectors: [Vector<MessageExpectation>] = [
        .init(
            "§8",
            "a message of the limit, each by itself",
            frame(0xC1, hello) + frame(0xC1, [0xF2, 0x00, 0x11, 0x00, 0x00]),
            .decodes("text Hello", "text Hello", deflate: agreement, limits: limits(message: 5))
        ),
        .init(
            "§8",
            "a longer one",
            frame(0xC1, hello),
            .breaks(.messageTooLong(limit: 4), deflate: agreement, limits: limits(message: 4))
        ),
        .init(
            "§8",
            "fragments together",
            frame(0x41, [0xF2, 0x48]) + frame(0x80, Array(hello[2...])),
            .breaks(.messageTooLong(limit: 4), deflate: agreement, limits: limits(message: 4))
        ),
        .init(
            "§8",
            "what is invalid within the limit comes before it",
            frame(0xC1, [0x4A, 0x4C, 0x4A, 0x7E, 0xBB, 0xA0, 0x01, 0x00]),
            .breaks(.invalidText, deflate: agreement, limits: limits(message: 5))
        ),
        .init(
            "§8",
            "what is invalid beyond the limit comes after it",
            frame(0xC1, [0x4A, 0x4C, 0x4A, 0x7E, 0xBB, 0xA0, 0x01, 0x00]),
            .breaks(.messageTooLong(limit: 4), deflate: agreement, limits: limits(message: 4))
        ),
        .init(
            "§8",
            "a frame is measured on the wire",
            [0xC1, 7],
            .breaks(.frameTooLong(limit: 6), deflate: agreement, limits: limits(frame: 6))
        ),
    ]

    @Test(arguments: vectors)
    func `the limits hold`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test("§8: the decompressor stops a bomb within the limit and one output buffer")
    func bomb() throws {
        for room in [1, 7, 100, 1000] {
            var decoder = WebSocketDecoder(deflate: Self.agreement, limits: Self.limits(message: 500))
            var (output, input, byteCount) = ([UInt8](repeating: 0, count: room), frame(0xC2, Self.bomb), 0)
            #expect(throws: WebSocketViolation.messageTooLong(limit: 500)) {
                while true {
                    let step = try decoder.step(input, into: &output)
                    input.removeFirst(step.consumedByteCount)
                    guard case .inflated(.binary, let count, false)? = step.event else { return }
                    byteCount += count
                }
            }
            #expect(byteCount <= 500)
            #expect(byteCount + room > 500)
        }
    }

    @Test("§8: the decompressor accepts the same bytes with a higher limit")
    func noBomb() {
        for room in [1000, 4096, 19_999, 20_000, 20_001] {
            let transcript = MessageTranscript(
                of: [frame(0xC2, Self.bomb)[...]],
                as: .decodes(deflate: Self.agreement),
                outputByteCount: room
            )
            #expect(transcript.lines == ["binary of 20000"])
        }
    }

    @Test("§8: the decompressor loses no bytes if the output has no room")
    func noRoom() throws {
        var decoder = WebSocketDecoder(deflate: Self.agreement)
        var (none, some): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 100))
        let input = frame(0xC1, Self.hello)
        let step = try decoder.step(input, into: &none)
        #expect(step == .init(consumedByteCount: 2, event: nil, needsOutput: true))
        let rest = Array(input.dropFirst(2))
        #expect(try decoder.step(rest, into: &none) == .init(consumedByteCount: 0, event: nil, needsOutput: true))
        let last = try decoder.step(rest, into: &some)
        #expect(last == .init(consumedByteCount: 7, event: .inflated(.text, byteCount: 5, isFinal: true)))
        #expect(some.starts(with: Array("Hello".utf8)))
    }
}
