// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestSupport
import Testing

@testable import TernHTTP2

@Suite("HTTP2ConnectionStateMachine, received in pieces")
struct ReceivingTests {
    /// An effect of the machine, or content whose adjacent parts are joined.
    private enum Item: Equatable {
        case effect(HTTP2Effect)
        case content(HTTP2StreamID, [UInt8])
    }

    private static func items(_ pieces: [ArraySlice<UInt8>], streamCount: Int) -> (items: [Item], output: [UInt8]) {
        var peer = ScriptedPeer(settings: nil)
        for _ in 0..<streamCount { peer.open() }
        var items: [Item] = []
        for piece in pieces {
            let input = Array(piece)
            peer.send(input)
            for effect in peer.takeEffects() {
                guard case .data(let stream, let range) = effect else {
                    items.append(.effect(effect))
                    continue
                }
                if case .content(stream, let content)? = items.last {
                    items[items.count - 1] = .content(stream, content + input[range])
                } else {
                    items.append(.content(stream, Array(input[range])))
                }
            }
        }
        return (items, peer.machine.takeOutput())
    }

    @Test
    func `a conversation is the same, however it is split`() {
        var encoder = HPACKEncoder()
        let block = encoder.block([(":status", "200"), ("server", "x"), ("content-length", "5")])
        let other = encoder.block([(":status", "404"), ("server", "x")])
        var bytes = Frames.settings([(.maximumConcurrentStreams, 10)]) + Frames.settingsAcknowledgement
        bytes += Frames.frame(.headers, [], 1, Array(block.prefix(4)))
        bytes += Frames.frame(.continuation, [], 1)
        bytes += Frames.frame(.continuation, .endHeaders, 1, Array(block.dropFirst(4)))
        bytes += Frames.data(1, [1, 2, 3], padding: 4) + Frames.headers(3, other) + Frames.ping()
        bytes += Frames.frame(FrameType(rawValue: 0xAB), [], 7, [1, 2, 3]) + Frames.data(3, [9, 9])
        bytes += Frames.data(1, [4, 5], endsStream: true) + Frames.headers(5, [0x88, 0x00, 0x01, 0x41, 0x00])
        bytes += Frames.headers(3, encoder.block([("x", "y")]), endsStream: true) + Frames.goAway(5)
        bytes += Frames.reset(7, .refusedStream) + Frames.windowUpdate(0, 0)
        let expected = Self.items([bytes[...]], streamCount: 4)
        #expect(expected.items.count == 13)
        for split in everySplit(of: bytes) {
            let actual = Self.items(split, streamCount: 4)
            #expect(actual == expected, "split as \(split.map(\.count))")
        }
    }

    @Test
    func `content is not copied and frames leave nothing behind`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        peer.send(peer.headers(stream))
        let before = peer.machine.bufferedByteCount
        peer.effects = []
        let data = Frames.data(stream, [UInt8](repeating: 1, count: 16_000))
        peer.send(data)
        #expect(peer.effects == [.data(stream, 9..<16_009)])
        peer.effects = []
        peer.send(Array(data.prefix(8000)))
        #expect(peer.effects == [.data(stream, 9..<8000)])
        #expect(peer.machine.missingByteCount == 8009)
        #expect(peer.machine.bufferedByteCount == before)
    }
}
