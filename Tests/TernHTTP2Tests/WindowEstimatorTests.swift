// SPDX-License-Identifier: Apache-2.0
import Testing

@_spi(CrossModuleInlining) @testable import TernHTTP2

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
    func `data that waits on the way leaves the window as it is`() {
        // The line has a delay of 100 µs. The answers take 2 ms, because the data of a window waits before them.
        var estimator = WindowEstimator(windowByteCount: 1 << 20, maximumByteCount: 16 << 20)
        let first = estimator.measured(.microseconds(100))
        #expect(first == nil)
        for second in 0..<20 {
            let start = Duration.seconds(second * 20)
            let isPinged = estimator.received(1 << 20, at: start)
            #expect(isPinged)
            _ = estimator.received(1 << 20, at: start)
            let window = estimator.answered(at: start + .milliseconds(2), unreadByteCount: 0)
            #expect(window == nil)
        }
    }

    @Test
    func `a delay that varies does not hold the window back`() {
        var estimator = WindowEstimator(windowByteCount: 1 << 20, maximumByteCount: 16 << 20)
        let first = estimator.measured(.milliseconds(20))
        #expect(first == nil)
        _ = estimator.received(1 << 20, at: .zero)
        _ = estimator.received(1 << 20, at: .zero)
        let window = estimator.answered(at: .milliseconds(60), unreadByteCount: 0)
        #expect(window == 2 << 20)
    }

    @Test(arguments: [
        // 1 MiB is what 250 MB/s carry in 4.2 ms, and 16 MiB what they carry in 67 ms.
        (Duration.zero, Int?.none), (.milliseconds(4), nil), (.milliseconds(10), 2_500_000),
        (.milliseconds(60), 15_000_000), (.milliseconds(100), 16 << 20), (.seconds(1 << 40), 16 << 20),
    ])
    func `the first round trip sizes the window for a fast line`(roundTrip: Duration, byteCount: Int?) {
        var estimator = WindowEstimator(
            windowByteCount: 1 << 20,
            maximumByteCount: 16 << 20,
            assumedBytesPerSecond: 250_000_000
        )
        let window = estimator.measured(roundTrip)
        #expect(window == byteCount)
        #expect(estimator.windowByteCount == byteCount ?? 1 << 20)
        // The server acknowledges later SETTINGS, too, maybe after all the data on the way.
        let later = estimator.measured(.seconds(1))
        #expect(later == nil)
    }

    @Test
    func `a window that the first round trip has sized still grows`() {
        var estimator = WindowEstimator(
            windowByteCount: 1 << 20,
            maximumByteCount: 16 << 20,
            assumedBytesPerSecond: 250_000_000
        )
        _ = estimator.measured(.milliseconds(20))
        _ = estimator.received(5_000_000, at: .zero)
        _ = estimator.received(5_000_000, at: .zero)
        let window = estimator.answered(at: .milliseconds(20), unreadByteCount: 0)
        #expect(window == 10_000_000)
    }

    @Test
    func `a machine raises all windows when the server acknowledges the first settings`() {
        var peer = ScriptedPeer(settings: nil)
        let stream = peer.open()
        _ = peer.takeFrames()
        peer.time = .milliseconds(10)
        peer.send(Frames.settings([]) + Frames.settingsAcknowledgement)
        let frames = peer.takeFrames()
        // The answer to the server's settings, then the client's new ones.
        #expect(frames.map(\.type) == [.settings, .settings, .windowUpdate])
        #expect(frames.dropFirst().first?.payload == hex("0004004c4b40"))  // 5,000,000
        #expect(peer.machine.streams[stream]?.receiveWindow.byteCount == 5_000_000)
        #expect(peer.machine.streamWindowByteCount == 5_000_000)
        peer.send(Frames.settingsAcknowledgement)
        #expect(peer.failure == nil)
        #expect(peer.takeFrames().isEmpty)
    }

    @Test(arguments: [
        (Duration.zero, 1 << 20, 2 << 20), (.milliseconds(2), 1 << 20, 2 << 20),
        (.milliseconds(3), 1_500_000, 3_000_000), (.milliseconds(20), 10_000_000, 20_000_000),
        (.seconds(1), 32 << 20, 64 << 20), (.seconds(-1), 1 << 20, 2 << 20),
    ])
    func `a policy is sized for a round trip`(roundTrip: Duration, stream: Int, connection: Int) {
        let flow = FlowPolicy().sized(for: roundTrip)
        #expect(flow.initialStreamWindowByteCount == stream)
        #expect(flow.initialConnectionWindowByteCount == connection)
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
        flow.assumedBytesPerSecond = 0
        var peer = ScriptedPeer(flow: flow, roundTrip: .milliseconds(50))
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
        var flow = FlowPolicy()
        flow.assumedBytesPerSecond = 0  // so that all growth is measured
        var peer = ScriptedPeer(flow: flow, roundTrip: .milliseconds(100))
        let stream = peer.open()
        peer.send(peer.headers(stream))
        _ = peer.takeFrames()
        var (window, streamCredit) = (flow.initialStreamWindowByteCount, flow.initialStreamWindowByteCount)
        var connectionCredit = flow.initialConnectionWindowByteCount
        // A part of the first window has been used, so that the updates do not meet the ends of bursts.
        var first = byteCountBefore
        for roundTrip in 0..<40 {
            peer.time = .milliseconds(100 * (roundTrip + 1))
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
