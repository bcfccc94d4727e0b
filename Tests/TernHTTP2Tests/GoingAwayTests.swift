// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@_spi(CrossModuleInlining) @testable import TernHTTP2

@Suite("RFC 9113 §5.4, §6.4 and §6.8: resets and GOAWAY")
struct GoingAwayTests {
    @Test
    func `streams above the last one are refused, the others go on`() {
        var peer = ScriptedPeer()
        let streams = (0..<3).map { _ in peer.open() }
        peer.send(Frames.goAway(streams[1], .noError, Array("bye".utf8)))
        #expect(
            peer.takeEffects() == [
                .failed(streams[2], .goingAway(.noError), .refused),
                .goingAway(lastStream: streams[1], .noError, debugData: Array("bye".utf8)),
            ]
        )
        #expect(peer.machine.isGoingAway)
        #expect(peer.machine.availableStreamCount == 0)
        #expect(peer.machine.activeStreamCount == 2)
        #expect(peer.open() == .connection)
        peer.send(peer.headers(streams[0], endsStream: true))
        #expect(peer.takeEffects().last == .end(streams[0]))
        // The server sends a frame for the refused stream nevertheless; the client drops it.
        peer.send(peer.headers(streams[2], endsStream: true))
        #expect(peer.takeEffects().isEmpty)
        peer.machine.connectionEnded(effects: &peer.effects)
        #expect(peer.takeEffects() == [.failed(streams[1], .connectionEnded, .unknown)])
        #expect(peer.machine.hasFailed)
    }

    @Test
    func `a server may announce it first, and lower the last stream then`() {
        var peer = ScriptedPeer()
        let (first, second) = (peer.open(), peer.open())
        peer.send(Frames.goAway(.highest))
        #expect(peer.takeEffects().count == 1)
        #expect(peer.machine.activeStreamCount == 2)
        peer.send(Frames.goAway(first))
        #expect(peer.takeEffects().first == .failed(second, .goingAway(.noError), .refused))
        peer.send(Frames.goAway(0, .internalError))
        #expect(peer.takeEffects().first == .failed(first, .goingAway(.internalError), .refused))
        peer.send(Frames.goAway(first))
        #expect(peer.failure == .increasedLastStream)
    }

    @Test
    func `long debug data is cut`() {
        var peer = ScriptedPeer()
        peer.send(Frames.goAway(0, .noError, [UInt8](repeating: 65, count: 16_000)))
        guard case .goingAway(_, _, let debugData)? = peer.effects.first else { return #expect(Bool(false)) }
        #expect(debugData.count == 256)
    }

    @Test(arguments: [
        (HTTP2ErrorCode.refusedStream, HTTP2Delivery.refused), (.http11Required, .refused), (.cancel, .unknown),
        (.internalError, .unknown), (.noError, .unknown), (HTTP2ErrorCode(rawValue: 0xFFFF), .unknown),
    ])
    func `what a reset says about the request`(code: HTTP2ErrorCode, delivery: HTTP2Delivery) {
        var peer = ScriptedPeer()
        let stream = peer.open()
        _ = peer.takeFrames()
        peer.send(Frames.reset(stream, code))
        #expect(peer.effects == [.failed(stream, .reset(code), delivery)])
        #expect(peer.machine.activeStreamCount == 0)
        // "an endpoint MUST NOT send a RST_STREAM in response to a RST_STREAM frame" (§5.4.2).
        peer.send(Frames.reset(stream, code))
        #expect(peer.takeFrames().isEmpty)
        #expect(!code.description.isEmpty)
    }

    @Test
    func `a connection error fails all streams, and ends with GOAWAY`() {
        var peer = ScriptedPeer()
        let (first, second) = (peer.open(), peer.open(.post, endsStream: false))
        peer.send(peer.headers(second, endsStream: true))
        _ = peer.takeFrames()
        peer.effects = []
        peer.send(Frames.frame(.ping, [], 1, [0, 0, 0, 0, 0, 0, 0, 0]) + Frames.ping())
        let violation = HTTP2Violation.unexpectedStream(.ping)
        #expect(
            peer.effects == [
                .failed(first, .connectionFailed(violation), .unknown), .requestStopped(second, .protocolError),
                .connectionFailed(violation),
            ]
        )
        #expect(peer.takeFrames() == WrittenFrame.all(in: Frames.goAway(0, .protocolError)))
        #expect(peer.machine.hasFailed && peer.machine.isGoingAway)
        peer.effects = []
        peer.send(Frames.ping())
        peer.machine.connectionEnded(effects: &peer.effects)
        peer.machine.reset(first)
        peer.machine.goAway()
        #expect(peer.effects.isEmpty)
        #expect(peer.takeFrames().isEmpty)
        #expect(peer.machine.missingByteCount >= 1)
    }

    @Test
    func `the client goes away, too`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        _ = peer.takeFrames()
        peer.machine.goAway()
        #expect(peer.takeFrames() == WrittenFrame.all(in: Frames.goAway(0)))
        #expect(peer.open() == .connection)
        peer.send(peer.headers(stream, endsStream: true))
        #expect(peer.effects.last == .end(stream))
    }

    @Test
    func `resets are forgotten, oldest first, and cost a frame then`() {
        var limits = HTTP2Limits()
        limits.rememberedResetCount = 2
        var peer = ScriptedPeer(limits: limits)
        let streams = (0..<3).map { _ in
            let stream = peer.open()
            peer.machine.reset(stream)
            return stream
        }
        _ = peer.takeFrames()
        for stream in streams { peer.send(peer.headers(stream)) }
        let frames = peer.takeFrames()
        #expect(frames.map(\.header.stream) == [streams[0]])
        #expect(frames.first?.code == .streamClosed)
        #expect(peer.effects.isEmpty)
    }

    /// An application may begin many calls, cancel all of them at once, and do the same again within a round trip.
    @Test
    func `late frames for many cancelled calls cost nothing`() {
        var peer = ScriptedPeer()
        peer.send(Frames.settings([(.maximumConcurrentStreams, 1000)]))
        var streams: [HTTP2StreamID] = []
        for _ in 0..<2 {
            let opened = (0..<1000).map { _ in peer.open() }
            #expect(!opened.contains(.connection))
            for stream in opened { peer.machine.reset(stream) }
            streams += opened
        }
        _ = peer.takeFrames()
        for stream in streams { peer.send(peer.headers(stream) + Frames.data(stream, [1], endsStream: true)) }
        #expect(peer.failure == nil)
        #expect(peer.takeFrames().isEmpty)
        #expect(peer.open() != .connection)
    }

    @Test
    func `ten thousand cancelled calls leave nothing behind`() {
        var peer = ScriptedPeer()
        for _ in 0..<10_000 {
            let stream = peer.open()
            peer.send(peer.headers(stream) + Frames.data(stream, [1, 2, 3]))
            peer.machine.reset(stream)
            peer.send(Frames.data(stream, [1], endsStream: true))
            peer.machine.discardOutput()
            peer.effects = []
        }
        #expect(peer.failure == nil)
        #expect(peer.machine.streams.ids.isEmpty)
        #expect(peer.machine.activeStreamCount == 0)
        #expect(peer.machine.receiveWindow.unread == 0)
        #expect(peer.machine.bufferedByteCount < 16_384)
    }
}
