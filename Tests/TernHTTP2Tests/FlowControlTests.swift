// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@_spi(CrossModuleInlining) @testable import TernHTTP2

@Suite("RFC 9113 §5.2 and §6.9: flow control")
struct FlowControlTests {
    // MARK: Sending

    @Test
    func `what may be sent is the least of both windows and a frame`() {
        var peer = ScriptedPeer(settings: [(.initialWindowSize, 20_000)])
        let (first, second) = (peer.open(.post, endsStream: false), peer.open(.post, endsStream: false))
        _ = peer.takeFrames()
        #expect(peer.machine.sendableByteCount(on: first) == 16_384)
        _ = peer.machine.encodeDataHeader(on: first, byteCount: 16_384, endsStream: false)
        #expect(peer.machine.sendableByteCount(on: first) == 3616)
        _ = peer.machine.encodeDataHeader(on: first, byteCount: 3616, endsStream: false)
        #expect(peer.machine.sendableByteCount(on: first) == 0)
        for count in [16_384, 3616] {
            _ = peer.machine.encodeDataHeader(on: second, byteCount: count, endsStream: false)
        }
        peer.send(Frames.windowUpdate(first, 100_000))
        #expect(peer.effects == [.windowOpened(first)])
        #expect(peer.machine.sendableByteCount(on: first) == 16_384)
        _ = peer.machine.encodeDataHeader(on: first, byteCount: 16_384, endsStream: false)
        _ = peer.machine.encodeDataHeader(on: first, byteCount: 9151, endsStream: false)  // 65,535 in all
        #expect(peer.machine.sendableByteCount(on: first) == 0)
        peer.effects = []
        peer.send(Frames.windowUpdate(0, 10))
        #expect(peer.effects == [.connectionWindowOpened])
        #expect(peer.machine.sendableByteCount(on: first) == 10)
        peer.machine.discardOutput()
        _ = peer.machine.encodeDataHeader(on: first, byteCount: 0, endsStream: true)
        #expect(peer.machine.sendableByteCount(on: first) == 0)
        #expect(peer.takeFrames().last?.header.flags == .endStream)
    }

    @Test
    func `§6.9.2 a lower initial window makes windows negative`() {
        var peer = ScriptedPeer(settings: [(.initialWindowSize, 1000)])
        let stream = peer.open(.post, endsStream: false)
        _ = peer.machine.encodeDataHeader(on: stream, byteCount: 600, endsStream: false)
        peer.send(Frames.settings([(.initialWindowSize, 100)]))
        #expect(peer.machine.sendableByteCount(on: stream) == 0)
        peer.effects = []
        peer.send(Frames.windowUpdate(stream, 500))
        #expect(peer.effects.isEmpty)
        peer.send(Frames.windowUpdate(stream, 1))
        #expect(peer.effects == [.windowOpened(stream)])
        #expect(peer.machine.sendableByteCount(on: stream) == 1)
        peer.effects = []
        _ = peer.machine.encodeDataHeader(on: stream, byteCount: 1, endsStream: false)
        peer.send(Frames.settings([(.initialWindowSize, 101)]))
        #expect(peer.effects == [.windowOpened(stream), .settingsChanged])
    }

    @Test
    func `§6.9.1 increments of 0 and windows over 2^31-1`() {
        var peer = ScriptedPeer()
        let (first, second) = (peer.open(.post, endsStream: false), peer.open(.post, endsStream: false))
        peer.send(Frames.windowUpdate(first, 0))
        #expect(peer.failure(of: first) == .zeroIncrement)
        peer.send(Frames.windowUpdate(second, 0x7FFF_FFFF - 65_535))
        #expect(peer.failure(of: second) == nil)
        peer.send(Frames.windowUpdate(second, 1))
        #expect(peer.failure(of: second) == .windowOverflow)
        let codes = peer.takeFrames().filter { $0.type == .reset }.map(\.code)
        #expect(codes == [.protocolError, .flowControlError])
        peer.send(Frames.windowUpdate(0, 0x7FFF_FFFF - 65_535))
        #expect(peer.failure == nil)
        peer.send(Frames.windowUpdate(0, 1))
        #expect(peer.failure == .connectionWindowOverflow)
        var other = ScriptedPeer()
        other.send(Frames.windowUpdate(0, 0))
        #expect(other.failure == .zeroConnectionIncrement)
    }

    @Test
    func `§6.9.2 SETTINGS that make a window overflow end the connection`() {
        var peer = ScriptedPeer()
        let stream = peer.open(.post, endsStream: false)
        peer.send(Frames.windowUpdate(stream, 0x7FFF_0000))
        #expect(peer.failure == nil)
        peer.send(Frames.settings([(.initialWindowSize, 0x7FFF_FFFF)]))
        #expect(peer.failure == .connectionWindowOverflow)
        #expect(peer.takeFrames().last?.code == .flowControlError)
    }

    // MARK: Receiving

    private static func flow(stream: Int, connection: Int, unread: Int = 64 << 20) -> FlowPolicy {
        var flow = FlowPolicy()
        flow.initialStreamWindowByteCount = stream
        flow.initialConnectionWindowByteCount = connection
        flow.maximumWindowByteCount = stream
        flow.maximumUnreadByteCount = unread
        return flow
    }

    private static func content(_ byteCount: Int) -> [UInt8] { [UInt8](repeating: 7, count: byteCount) }

    @Test
    func `a stream's window opens as its reader reads, a quarter of it at a time`() {
        var peer = ScriptedPeer(flow: Self.flow(stream: 1000, connection: 1 << 20))
        let stream = peer.open()
        peer.send(peer.headers(stream) + Frames.data(stream, Self.content(900)))
        _ = peer.takeFrames()
        for _ in 0..<2 {
            peer.machine.consumed(249, on: stream)
            #expect(peer.takeFrames().isEmpty)
            peer.machine.consumed(1, on: stream)
            #expect(peer.takeFrames().map(\.number) == [250])
        }
        peer.send(Frames.data(stream, Self.content(600)))
        #expect(peer.failure(of: stream) == nil)
        peer.send(Frames.data(stream, [1]))
        #expect(peer.failure(of: stream) == .windowExceeded)
        #expect(peer.takeFrames().map(\.code) == [.flowControlError])
    }

    @Test
    func `after the end of a response its window stays`() {
        var peer = ScriptedPeer(flow: Self.flow(stream: 1000, connection: 1 << 20))
        let stream = peer.open()
        peer.send(peer.headers(stream) + Frames.data(stream, Self.content(1000), endsStream: true))
        _ = peer.takeFrames()
        #expect(peer.machine.activeStreamCount == 0)
        #expect(peer.machine.receiveWindow.unread == 1000)
        peer.machine.consumed(400, on: stream)
        peer.machine.consumed(600, on: stream)
        #expect(peer.takeFrames().isEmpty)
        #expect(peer.machine.streams.ids.isEmpty)
        #expect(peer.machine.receiveWindow.unread == 0)
    }

    @Test
    func `padding counts for the windows and is given back at once`() {
        var peer = ScriptedPeer(flow: Self.flow(stream: 1000, connection: 1 << 20))
        let stream = peer.open()
        peer.send(peer.headers(stream))
        _ = peer.takeFrames()
        for _ in 0..<20 { peer.send(Frames.data(stream, [1], padding: 200)) }
        let updates = peer.takeFrames()
        #expect(updates.map(\.type).allSatisfy { $0 == .windowUpdate })
        #expect(updates.reduce(0) { $0 + $1.number } >= 20 * 202 - 1000)
        #expect(peer.machine.receiveWindow.unread == 20)
        peer.send(Frames.data(stream, Self.content(900), padding: 255))
        #expect(peer.failure(of: stream) == .windowExceeded)
    }

    @Test
    func `the connection's window opens when data comes, so that a slow reader stops no other`() {
        var peer = ScriptedPeer(flow: Self.flow(stream: 100_000, connection: 100_000, unread: 250_000))
        let streams = (0..<4).map { _ in peer.open() }
        for stream in streams { peer.send(peer.headers(stream)) }
        _ = peer.takeFrames()
        // The client reads no content of any stream.
        var sent = 0
        for stream in streams {
            for _ in 0..<6 where peer.failure == nil && peer.machine.receiveWindow.available >= 16_000 {
                peer.send(Frames.data(stream, Self.content(16_000)))
                sent += 16_000
            }
        }
        #expect(peer.failure == nil)
        #expect(sent > 200_000)
        #expect(sent <= 250_000)
        #expect(peer.machine.receiveWindow.unread == sent)
        // The limit of unread bytes is nearly reached, so the window opens again only when content is read.
        _ = peer.takeFrames()
        peer.machine.consumed(90_000, on: streams[0])
        let updates = peer.takeFrames().filter { $0.header.stream == .connection }
        #expect(updates.map(\.type) == [.windowUpdate])
        peer.send(Frames.data(streams[0], Self.content(16_000)))
        #expect(peer.failure == nil)
    }

    @Test
    func `more data than the connection's window ends the connection`() {
        var peer = ScriptedPeer(flow: Self.flow(stream: 1 << 20, connection: 65_535, unread: 65_535))
        let stream = peer.open()
        peer.send(peer.headers(stream))
        for _ in 0..<4 { peer.send(Frames.data(stream, Self.content(16_000))) }
        #expect(peer.failure == nil)
        peer.send(Frames.data(stream, Self.content(1536)))
        #expect(peer.failure == .connectionWindowExceeded)
        #expect(peer.takeFrames().last?.code == .flowControlError)
    }

    @Test
    func `a reset gives back what was not read, and late data counts and is dropped`() {
        var peer = ScriptedPeer(flow: Self.flow(stream: 1 << 20, connection: 1 << 20))
        let stream = peer.open()
        peer.send(peer.headers(stream) + Frames.data(stream, Self.content(16_000)))
        // Only a part of the frame arrives before the reset.
        let late = Frames.data(stream, Self.content(16_000))
        peer.send(Array(late.prefix(1000)))
        _ = peer.takeFrames()
        peer.machine.reset(stream)
        #expect(peer.takeFrames().map(\.code) == [.cancel])
        #expect(peer.machine.receiveWindow.unread == 0)
        peer.effects = []
        peer.send(Array(late.dropFirst(1000)))
        for _ in 0..<100 { peer.send(late) }
        #expect(peer.effects.isEmpty)
        #expect(peer.machine.receiveWindow.unread == 0)
        let frames = peer.takeFrames()
        #expect(frames.allSatisfy { $0.header.stream == .connection && $0.type == .windowUpdate })
        #expect(frames.reduce(0) { $0 + $1.number } > 1 << 20)
        peer.machine.consumed(16_000, on: stream)
        peer.machine.reset(stream)
        #expect(peer.takeFrames().isEmpty)
        #expect(peer.machine.receiveWindow.unread == 0)
    }

    @Test
    func `a reader that reads byte by byte costs few frames`() {
        var peer = ScriptedPeer(flow: Self.flow(stream: 100_000, connection: 100_000, unread: 100_000))
        let stream = peer.open()
        peer.send(peer.headers(stream))
        for _ in 0..<6 { peer.send(Frames.data(stream, Self.content(16_000))) }
        _ = peer.takeFrames()
        #expect(peer.machine.receiveWindow.available < 16_384)
        for _ in 0..<96_000 { peer.machine.consumed(1, on: stream) }
        let updates = peer.takeFrames()
        #expect(updates.count <= 5)
        #expect(updates.filter { $0.header.stream == .connection }.reduce(0) { $0 + $1.number } >= 50_000)
        #expect(peer.machine.receiveWindow.unread == 0)
    }
}
