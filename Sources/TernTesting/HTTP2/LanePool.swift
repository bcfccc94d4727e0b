// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// The lanes (``GatewayLane``) of one client connection; a lane that serves no stream is ready for the next request.
final class LanePool: Sendable {
    private struct State: Sendable {
        var idle: [GatewayLane] = []
        var hasEnded = false
    }

    private let lanes: GatewayLanes
    private let number: Int
    private let state = Mutex(State())

    init(_ lanes: GatewayLanes, number: Int) { (self.lanes, self.number) = (lanes, number) }

    func take() -> GatewayLane {
        while let idle = self.state.withLock({ $0.idle.popLast() }) {
            if idle.connection.isReadyForExchange { return idle }
            idle.connection.close()
        }
        return self.lanes.open(for: self.number)
    }

    func keep(_ lane: GatewayLane) {
        let isKept = self.state.withLock { state in
            if !state.hasEnded { state.idle.append(lane) }
            return !state.hasEnded
        }
        if !isKept { lane.connection.close() }
    }

    /// Closes the idle lanes; lanes that are given back later are closed at once.
    func end() {
        let idle = self.state.withLock { state in
            defer { state = State(hasEnded: true) }
            return state.idle
        }
        for lane in idle { lane.connection.close() }
    }
}
