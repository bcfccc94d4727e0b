// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
@_spi(CrossModuleInlining) import TernFields
import Testing

@testable import TernHTTP2

/// Tests attacks of a server on a client, and the maximum amount of memory that each attack uses.
@Suite("RFC 9113 §10.5: hostile servers")
struct HostileServerTests {
    /// The maximum amount of memory that the client may use during an attack, in bytes.
    private static let memory = 2 << 20

    /// Sends the same bytes until the connection fails.
    ///
    /// Returns the violation that ended the connection, and the number of times that the server sent the bytes before.
    private static func flood(
        _ peer: inout ScriptedPeer,
        _ bytes: [UInt8],
        atMost count: Int = 100_000
    ) -> (violation: HTTP2Violation?, count: Int) {
        var written = 0
        for round in 0..<count {
            peer.send(bytes)
            written += peer.machine.output.count
            if let violation = peer.failure {
                #expect(peer.machine.bufferedByteCount < Self.memory)
                #expect(written < Self.memory)
                #expect(peer.takeFrames().last { $0.type == .goAway }?.code == .enhanceYourCalm)
                return (violation, round)
            }
            peer.machine.discardOutput()
            peer.effects = []
        }
        return (nil, count)
    }

    @Test(
        arguments: [
            (Frames.ping(), .ping, 1000), (Frames.ping(isAnswer: true), .ping, 1000),
            (Frames.settings(), .settings, 99),
            (Frames.windowUpdate(0, 1), .windowUpdate, 2000), (Frames.windowUpdate(1, 1), .windowUpdate, 2000),
            (Frames.data(1, []), .emptyData, 1000), (Frames.data(1, [], padding: 0), .emptyData, 1000),
            (Frames.data(1, [], padding: 100), .emptyData, 1000),
            (Frames.frame(.priority, [], 1, [0, 0, 0, 0, 0]), .ignored, 1000),
            (Frames.frame(.priority, [], 99, [0, 0, 0, 0, 0]), .ignored, 1000),
            (Frames.frame(.alternativeServices, [], 0, [0, 0]), .ignored, 1000),
            (Frames.frame(.origin, [], 0, [0, 1, 65]), .ignored, 1000),
            (Frames.frame(FrameType(rawValue: 0xFE), [], 1, [UInt8](repeating: 1, count: 16_384)), .ignored, 1000),
            (Frames.goAway(.highest), .ignored, 1000), (Frames.reset(3), .ignored, 1000),
            (Frames.frame(.priority, [], 1, [0]), .malformed, 200),
            (Frames.data(3, [1]), .malformed, 200), (Frames.headers(3, [0x88]), .malformed, 200),
        ] as [([UInt8], FloodLimits.Kind, Int)]
    )
    func `frames that bring nothing end the connection`(bytes: [UInt8], kind: FloodLimits.Kind, count: Int) {
        var peer = ScriptedPeer()
        let (open, done) = (peer.open(), peer.open())
        peer.send(Frames.headers(open, [0x88]) + Frames.headers(done, [0x88], endsStream: true))
        peer.machine.discardOutput()
        let result = Self.flood(&peer, bytes)
        #expect(result.violation == .flood(kind))
        #expect(result.count >= count - 2 && result.count <= count + 2)
    }

    /// The client answers a frame with 2700 settings as one with a single setting, and reports as little of it.
    @Test
    func `large SETTINGS cost no more output and effects than short ones`() {
        func cost(_ settings: [(SettingIdentifier, UInt32)]) -> (output: Int, effects: Int, buffered: Int) {
            var peer = ScriptedPeer()
            for _ in 0..<100 { peer.open() }
            peer.machine.discardOutput()
            peer.send(Frames.settings(settings))
            return (peer.machine.output.count, peer.effects.count, peer.machine.bufferedByteCount)
        }
        let games = (0..<2700).map {
            ($0 % 2 == 0 ? SettingIdentifier.headerTableSize : .initialWindowSize, UInt32($0))
        }
        #expect(cost(games) == cost(games.suffix(2)))
        #expect(cost(games).output == 9)  // the acknowledgement
        var peer = ScriptedPeer()
        for _ in 0..<100 { peer.open() }
        #expect(Self.flood(&peer, Frames.settings(games)).violation == .flood(.settings))
    }

    @Test
    func `a server that resets every stream`() {
        var peer = ScriptedPeer()
        var opened = 0
        while peer.failure == nil, opened < 5000 {
            peer.effects = []
            let stream = peer.open()
            opened += 1
            peer.send(Frames.reset(stream, .refusedStream))
            peer.machine.discardOutput()
        }
        #expect(peer.failure == .flood(.reset))
        #expect(opened == 1001)
    }

    @Test
    func `a server whose responses are all malformed`() {
        var peer = ScriptedPeer()
        var opened = 0
        while peer.failure == nil, opened < 5000 {
            peer.effects = []
            peer.send(Frames.headers(peer.open(), [0x82]))
            opened += 1
            peer.machine.discardOutput()
        }
        #expect(peer.failure == .flood(.malformed))
        #expect(opened == 201)
    }

    @Test
    func `responses and time refill the budgets`() {
        var peer = ScriptedPeer()
        for _ in 0..<5000 {
            peer.send(Frames.ping() + peer.headers(peer.open(), endsStream: true))
            peer.machine.discardOutput()
        }
        #expect(peer.failure == nil)
        for _ in 0..<5000 {
            peer.time += .seconds(1)
            peer.send(Frames.ping() + Frames.ping() + Frames.windowUpdate(0, 1))
            peer.machine.discardOutput()
        }
        #expect(peer.failure == nil)
    }

    @Test
    func `WINDOW_UPDATEs that answer data are no flood`() {
        var peer = ScriptedPeer()
        let stream = peer.open(.post, endsStream: false)
        for _ in 0..<20_000 {
            _ = peer.machine.encodeDataHeader(on: stream, byteCount: 1, endsStream: false)
            peer.send(Frames.windowUpdate(0, 1) + Frames.windowUpdate(stream, 1))
            peer.machine.discardOutput()
        }
        #expect(peer.failure == nil)
    }

    /// A server in Go 1.19 returns both windows after each read of its handler.
    @Test
    func `a server may return its windows in small parts`() {
        var peer = ScriptedPeer()
        let stream = peer.open(.post, endsStream: false)
        for _ in 0..<20 {
            let isSent = peer.machine.encodeDataHeader(on: stream, byteCount: 16_384, endsStream: false)
            #expect(isSent)
            for _ in 0..<512 { peer.send(Frames.windowUpdate(stream, 32) + Frames.windowUpdate(0, 32)) }
            peer.machine.discardOutput()
        }
        #expect(peer.failure == nil)
    }

    @Test
    func `a server that returns more parts than that floods`() {
        var peer = ScriptedPeer()
        let stream = peer.open(.post, endsStream: false)
        _ = peer.machine.encodeDataHeader(on: stream, byteCount: 16_384, endsStream: false)
        let flood = Self.flood(&peer, Frames.windowUpdate(stream, 1))
        #expect(flood.violation == .flood(.windowUpdate))
        #expect(flood.count == 2000 + 2 + 16_384 / 16)
    }

    /// A server may measure the line with a PING while it receives.
    @Test(arguments: [(1024, nil), (1023, .flood(.ping))] as [(Int, HTTP2Violation?)])
    func `the content of an upload refills the budgets`(byteCount: Int, failure: HTTP2Violation?) {
        var peer = ScriptedPeer()
        let stream = peer.open(.post, endsStream: false)
        for _ in 0..<1500 where peer.failure == nil {
            _ = peer.machine.encodeDataHeader(on: stream, byteCount: byteCount, endsStream: false)
            peer.send(Frames.ping() + Frames.windowUpdate(stream, byteCount) + Frames.windowUpdate(0, byteCount))
            peer.machine.discardOutput()
        }
        #expect(peer.failure == failure)
    }

    @Test
    func `CONTINUATION without end`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        peer.send(Frames.frame(.headers, [], stream, [0x88]))
        peer.machine.discardOutput()
        let empty = Self.flood(&peer, Frames.frame(.continuation, [], stream))
        #expect(empty.violation == .tooManyContinuations(limit: 32))
        #expect(empty.count == 32)
        var limits = HTTP2Limits()
        limits.maximumContinuationCount = 1000
        var other = ScriptedPeer(limits: limits)
        other.send(Frames.frame(.headers, [], other.open(), [0x88]))
        let full = Frames.frame(.continuation, [], stream, [UInt8](repeating: 0x88, count: 16_384))
        #expect(Self.flood(&other, full).violation == .fieldListOverDecodingLimit(limit: 512 << 10))
    }

    @Test
    func `a field block is interrupted`() {
        for other in [
            Frames.ping(), Frames.data(1, []), Frames.headers(1, [0x88]), Frames.frame(.continuation, [], 3),
            Frames.frame(FrameType(rawValue: 0xEE)), Frames.frame(.priority, [], 1, [0, 0, 0, 0, 0]),
        ] {
            var peer = ScriptedPeer()
            peer.send(Frames.frame(.headers, [], peer.open(), [0x88]) + other)
            #expect(peer.failure == .interruptedFieldBlock)
        }
        var peer = ScriptedPeer()
        peer.send(Frames.frame(.continuation, .endHeaders, peer.open(), [0x88]))
        #expect(peer.failure == .unexpectedContinuation)
    }

    @Test
    func `HPACK bombs end at the limit`() {
        var peer = ScriptedPeer()
        let (first, second) = (peer.open(), peer.open())
        let entry: [UInt8] = [0x88, 0x40, 1, 0x61, 0x7F, 0x80, 0x1E] + [UInt8](repeating: 0x62, count: 127 + 3840)
        peer.send(Frames.headers(first, entry))
        peer.send(Frames.headers(second, [0x88] + [UInt8](repeating: 0xBE, count: 16_000)))
        #expect(peer.failure == .fieldListOverDecodingLimit(limit: 512 << 10))
        #expect(peer.machine.bufferedByteCount < Self.memory)
    }

    @Test(
        arguments: [
            (Frames.data(5, [1]), .idleStream), (Frames.headers(5, [0x88]), .idleStream),
            (Frames.reset(5), .idleStream),
            (Frames.windowUpdate(5, 1), .idleStream), (Frames.data(2, [1]), .idleStream),
            (Frames.headers(2, [0x88]), .idleStream), (Frames.frame(.headers, [], 2, [0x88]), .idleStream),
            (Frames.reset(4), .idleStream), (Frames.frame(.pushPromise, .endHeaders, 1, [0, 0, 0, 2, 0x82]), .push),
            (Frames.frame(.priorityUpdate, [], 0, [0, 0, 0, 1] + Array("u=1".utf8)), .priorityUpdate),
            (Frames.frame(.priorityUpdate, [], 0, []), .priorityUpdate),
            (Frames.frame(.priorityUpdate, [], 1, [0, 0, 0, 1]), .priorityUpdate),
            (Frames.frame(.priorityUpdate, [], 0, [UInt8](repeating: 0, count: 16_384)), .priorityUpdate),
            (Frames.frame(.pushPromise, [], 0, [0, 0, 0, 2]), .missingStream(.pushPromise)),
            (hex("000004 00 08 00000001 05 010203"), .excessivePadding),
            (Frames.headers(1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]), .integerTooLarge),
            (Frames.headers(1, [0x88, 0x40, 0x81, 0x1F]), .truncatedFieldBlock),
            (Frames.headers(1, [0x88, 0x00, 0x81, 0xFE, 0x00]), .invalidHuffmanCode),
            (Frames.headers(1, [0x3F, 0xE2, 0x1F]), .tableSizeUpdateTooLarge),
            (Frames.headers(1, [0xC0]), .invalidFieldIndex),
        ] as [([UInt8], HTTP2Violation?)]
    )
    func `what ends the connection at once`(bytes: [UInt8], violation: HTTP2Violation?) {
        var peer = ScriptedPeer()
        peer.open()
        peer.send(bytes)
        #expect(peer.failure == violation)
        if let violation { #expect(peer.takeFrames().last?.code == violation.code) }
    }

    @Test
    func `a block for a stream that is closed is decoded, for the table`() {
        var peer = ScriptedPeer()
        let (first, second) = (peer.open(), peer.open())
        peer.machine.reset(first)
        peer.send(peer.headers(first, [(":status", "200"), ("x", "y")]))
        peer.send(peer.headers(second, [(":status", "200"), ("x", "y")]))
        guard case .head(second, let head)? = peer.effects.last else { return #expect(Bool(false)) }
        #expect(head.fields.makeHTTPFields().first?.value == "y")
    }
}
