// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// One connection of an HTTP/2 client, whose streams a gateway passes on to the server.
final class GatewaySession: Sendable {
    private struct State: Sendable {
        var exchanges: [Int: GatewayExchange] = [:]
        var faults: HTTP2FaultSchedule
    }

    private static let settings: [HTTP2Setting] = [.extendedConnect, .maximumStreams(100)]

    let peer: HTTP2Peer
    let windows = GatewayWindows()
    let lanes: LanePool
    /// The number of open streams on all connections.
    private let streamCount: Observed<Int>
    private let state: Mutex<State>

    init(
        _ connection: ServerConnection,
        _ lanes: GatewayLanes,
        _ faults: HTTP2FaultSchedule,
        countingIn streamCount: Observed<Int>
    ) {
        self.peer = HTTP2Peer(connection)
        self.lanes = LanePool(lanes, number: connection.number)
        self.streamCount = streamCount
        self.state = Mutex(State(faults: faults))
    }

    func run() async throws {
        // In one SETTINGS frame, the last value of a setting counts (RFC 9113 §6.5.3), so the faults override the rest.
        let settings = Self.settings + self.state.withLock { $0.faults.firstSettings }
        try await self.peer.send(.settings(settings))
        await withDiscardingTaskGroup { group in
            while let frame = try? await self.peer.nextFrame() { await self.receive(frame, &group) }
            self.end()
            group.cancelAll()
        }
    }

    // MARK: The client

    private func receive(_ frame: HTTP2Frame, _ group: inout DiscardingTaskGroup) async {
        switch frame {
        case .headers(let headers) where headers.isRequest:
            guard let exchange = await self.begin(headers) else { return }
            group.addTask { await exchange.run() }
        case .headers(let trailers):
            self.exchange(trailers.stream)?.end(trailers: trailers.lines)
        case .data(let stream, let bytes, let endsStream):
            if !bytes.isEmpty { await self.send(.windowUpdate(0, bytes.count)) }
            await self.exchange(stream)?.receive(bytes, endsStream: endsStream)
        case .reset(let stream, _):
            let exchange = self.exchange(stream)
            self.close(stream)
            exchange?.abort()
        case .windowUpdate(let stream, let byteCount): self.windows.widen(stream, by: byteCount)
        case .settings(let settings):
            for setting in settings where setting.identifier == 4 { self.windows.setInitial(setting.value) }
        case .settingsAck, .ping, .pingAck, .goAway, .priorityUpdate, .other: break
        }
    }

    /// Sends frames in one write; returns whether the connection is open.
    @discardableResult
    func send(_ frames: HTTP2Output...) async -> Bool {
        do {
            try await self.peer.send(frames)
            return true
        } catch {
            return false
        }
    }

    private func end() {
        let exchanges = self.state.withLock { state in
            defer { state.exchanges = [:] }
            return state.exchanges
        }
        for (stream, exchange) in exchanges {
            self.windows.close(stream)
            exchange.abort()
            self.streamCount.update { $0 -= 1 }
        }
        self.lanes.end()
    }

    // MARK: Streams

    private func exchange(_ stream: Int) -> GatewayExchange? { self.state.withLock { $0.exchanges[stream] } }

    private func begin(_ headers: HTTP2Headers) async -> GatewayExchange? {
        let stream = headers.stream
        let decision = self.state.withLock { $0.faults.requestArrived(on: stream) }
        if !decision.settings.isEmpty { await self.send(.settings(decision.settings)) }
        if let goAway = decision.goAway { await self.send(.goAway(last: goAway.lastStream, Int(goAway.code))) }
        switch decision.fate {
        case .serve(let reset):
            if let exchange = self.open(headers, reset) { return exchange }
            await self.send(.reset(stream, HTTP2Code.refusedStream))
        case .reset(let code): await self.send(.reset(stream, Int(code)))
        case .ignore: break
        }
        return nil
    }

    private func open(_ headers: HTTP2Headers, _ reset: HTTP2FaultSchedule.Reset?) -> GatewayExchange? {
        let request = GatewayRequest(headers)
        let lane = self.lanes.take()
        lane.streams.append(headers.stream)
        guard (try? lane.connection.enqueue(ByteBuffer(bytes: request.head))) != nil else { return nil }
        let exchange = GatewayExchange(headers, request, lane, self, reset)
        self.windows.open(headers.stream)
        self.state.withLock { $0.exchanges[headers.stream] = exchange }
        self.streamCount.update { $0 += 1 }
        return exchange
    }

    /// Removes a stream; returns whether no other stream is open.
    @discardableResult
    func close(_ stream: Int) -> Bool {
        self.windows.close(stream)
        let (wasOpen, isAlone) = self.state.withLock { state in
            let wasOpen = state.exchanges.removeValue(forKey: stream) != nil
            return (wasOpen, state.exchanges.isEmpty)
        }
        if wasOpen { self.streamCount.update { $0 -= 1 } }
        return isAlone
    }

    // MARK: The server

    /// Ends the client's connection as the server ended the lane; if others are open, only resets this stream, but not if a script
    /// failed.
    func fail(_ stream: Int, _ failure: ConnectionError) async {
        let isAlone = self.close(stream)
        switch failure {
        case .failed(let reason): self.peer.connection.fail(reason)
        case .reset where isAlone: self.peer.connection.reset()
        case _ where isAlone: self.peer.connection.close()
        default: await self.send(.reset(stream, HTTP2Code.internalError))
        }
    }
}
