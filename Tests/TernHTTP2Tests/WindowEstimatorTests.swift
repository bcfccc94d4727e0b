// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernHTTP2

@Suite("WindowEstimator")
struct WindowEstimatorTests {
    /// Simulates a download over a connection with a bandwidth and a delay.
    ///
    /// Returns the window after each round trip, and the number of PINGs.
    private static func windows(bytesPerSecond: Double, roundTrip: Double, count: Int) -> (windows: [Int], pings: Int) {
        var estimator = WindowEstimator(windowByteCount: 64 << 10, maximumByteCount: 16 << 20)
        var (time, windows, pings): (Double, [Int], Int) = (0, [], 0)
        for _ in 0..<count {
            let inFlight = min(Double(estimator.windowByteCount), bytesPerSecond * roundTrip)
            // The first part may cause a PING. Before the answer to the PING, data for one more round trip arrives.
            let first = min(Int(inFlight), estimator.windowByteCount / 4 + 1)
            let isPinged = estimator.received(first, at: .seconds(time))
            let isPingedAgain = estimator.received(Int(inFlight), at: .seconds(time))
            #expect(!isPinged || !isPingedAgain)
            if isPinged || isPingedAgain { pings += 1 }
            time += roundTrip
            if isPinged || isPingedAgain { _ = estimator.answered(at: .seconds(time), unreadByteCount: 0) }
            windows.append(estimator.windowByteCount)
        }
        return (windows, pings)
    }

    @Test
    func `the window grows to twice what is under way, and no further`() {
        // 12.5 MB/s over 100 ms are 1.25 MB.
        let (windows, pings) = Self.windows(bytesPerSecond: 12_500_000, roundTrip: 0.1, count: 200)
        #expect(windows.last ?? 0 >= 1_250_000)
        #expect(windows.last ?? 0 <= 4_000_000)
        #expect(windows[10] >= 1_250_000)
        #expect(pings < 60)
    }

    @Test
    func `the window ends at the limit, and so do the PINGs`() {
        let (windows, pings) = Self.windows(bytesPerSecond: 1e10, roundTrip: 0.1, count: 100)
        #expect(windows.last == 16 << 20)
        #expect(pings == 8)
    }

    @Test
    func `a window that is full of unread data stays as it is`() {
        var estimator = WindowEstimator(windowByteCount: 64 << 10, maximumByteCount: 16 << 20)
        for second in 0..<20 {
            _ = estimator.received(64 << 10, at: .seconds(second * 20))
            _ = estimator.received(64 << 10, at: .seconds(second * 20))
            let window = estimator.answered(at: .seconds(second * 20 + 1), unreadByteCount: 48 << 10)
            #expect(window == nil)
        }
    }

    @Test
    func `a slow line leaves the window as it is`() {
        let (windows, _) = Self.windows(bytesPerSecond: 100_000, roundTrip: 0.05, count: 200)
        #expect(windows.last == 64 << 10)
    }

    @Test
    func `nothing that comes asks for nothing`() {
        var estimator = WindowEstimator(windowByteCount: 1 << 20, maximumByteCount: 1 << 20)
        let isPinged = estimator.received(1 << 20, at: .zero)
        let window = estimator.answered(at: .seconds(1), unreadByteCount: 0)
        #expect(!isPinged)
        #expect(window == nil)
    }

    @Test
    func `a machine measures, and raises all windows`() {
        var flow = FlowPolicy()
        (flow.initialStreamWindowByteCount, flow.initialConnectionWindowByteCount) = (65_535, 65_535)
        var peer = ScriptedPeer(flow: flow)
        let stream = peer.open()
        peer.send(peer.headers(stream))
        _ = peer.takeFrames()
        let data = Frames.data(stream, [UInt8](repeating: 1, count: 16_000))
        peer.time = .seconds(1)
        for _ in 0..<6 {
            peer.send(data)
            peer.machine.consumed(16_000, on: stream)
        }
        let ping = peer.takeFrames().first { $0.type == .ping }
        #expect(ping?.payload == hex("8000000000000000"))
        peer.effects = []
        peer.time += .milliseconds(50)
        peer.send(Frames.ping(HTTP2ConnectionStateMachine.probe, isAnswer: true))
        #expect(peer.effects.isEmpty)
        let frames = peer.takeFrames()
        #expect(frames.map(\.type) == [.settings, .windowUpdate])
        #expect(frames.first?.payload.prefix(2) == [0, 4])
        #expect(peer.machine.streamWindowByteCount >= 128_000)
        #expect(peer.machine.streams[stream]?.receiveWindow.byteCount == peer.machine.streamWindowByteCount)
        peer.send(Frames.settingsAcknowledgement + data)
        #expect(peer.failure == nil)
    }

    /// Downloads from a server that sends at once what the windows allow, and gets each frame a round trip later.
    ///
    /// Returns the number of round trips until the window has its largest size.
    private static func roundTripsToLargestWindow(byteCountBefore: Int) -> Int? {
        var peer = ScriptedPeer()
        let stream = peer.open()
        peer.send(peer.headers(stream))
        _ = peer.takeFrames()
        let flow = FlowPolicy()
        var (window, streamCredit) = (flow.initialStreamWindowByteCount, flow.initialStreamWindowByteCount)
        var connectionCredit = flow.initialConnectionWindowByteCount
        // A part of the first window has been used, so that the updates do not meet the ends of bursts.
        var first = byteCountBefore
        for roundTrip in 0..<40 {
            peer.time = .milliseconds(100 * roundTrip)
            for frame in peer.takeFrames() {
                switch frame.type {
                case .ping: peer.send(Frames.ping(HTTP2ConnectionStateMachine.probe, isAnswer: true))
                case .settings:
                    streamCredit += peer.machine.streamWindowByteCount - window
                    window = peer.machine.streamWindowByteCount
                    peer.send(Frames.settingsAcknowledgement)
                case .windowUpdate where frame.header.stream == stream: streamCredit += frame.number
                default: connectionCredit += frame.number
                }
            }
            if window == flow.maximumWindowByteCount { return roundTrip }
            var burst = first > 0 ? first : min(streamCredit, connectionCredit)
            first = 0
            streamCredit -= burst
            connectionCredit -= burst
            while burst > 0 {
                let byteCount = min(burst, 16_384)
                peer.send(Frames.data(stream, [UInt8](repeating: 1, count: byteCount)))
                peer.machine.consumed(byteCount, on: stream)
                burst -= byteCount
            }
            if peer.failure != nil { return nil }
        }
        return nil
    }

    @Test(arguments: [0, 6, 1000, 100_000, 200_000, 261_000, 300_000])
    func `a long line lets the window grow, however the updates fall`(byteCountBefore: Int) throws {
        let count = try #require(Self.roundTripsToLargestWindow(byteCountBefore: byteCountBefore))
        #expect(count <= 25)
    }
}
