// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernTesting

/// One connection of a client with HTTP/2, whose streams a gateway passes on.
final class GatewaySession: Sendable {
    private struct State: Sendable {
        var exchanges: [Int: GatewayExchange] = [:]
        /// The connections to the server that serve no stream.
        var idle: [any Connection] = []
        var hasEnded = false
    }

    /// The number of streams that the client may open at once.
    private static let maximumStreamCount = 100

    let peer: HTTP2Peer
    let windows = GatewayWindows()
    private let connector: MemoryConnector
    private let exchangeCount: Observed<Int>
    private let state = Mutex(State())

    init(_ connection: ServerConnection, _ connector: MemoryConnector, _ exchangeCount: Observed<Int>) {
        self.peer = HTTP2Peer(connection)
        self.connector = connector
        self.exchangeCount = exchangeCount
    }

    /// Serves the connection to its end.
    func run() async throws {
        guard try await self.peer.readPreface() else { return }
        try await self.peer.send(.settings([.extendedConnect, .maximumStreams(Self.maximumStreamCount)]))
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
            guard let exchange = await self.open(headers) else { return }
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

    /// Sends frames in one piece; returns whether the connection is open.
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
        let (exchanges, idle) = self.state.withLock { state in
            defer { (state.exchanges, state.idle, state.hasEnded) = ([:], [], true) }
            return (state.exchanges, state.idle)
        }
        for (stream, exchange) in exchanges {
            self.windows.close(stream)
            exchange.abort()
            self.exchangeCount.update { $0 -= 1 }
        }
        for connection in idle { connection.close() }
    }

    // MARK: Streams

    private func exchange(_ stream: Int) -> GatewayExchange? { self.state.withLock { $0.exchanges[stream] } }

    /// Sends a request to the server, and notes its stream; `nil` if that is not possible.
    private func open(_ headers: HTTP2Headers) async -> GatewayExchange? {
        let request = GatewayRequest(headers)
        do {
            let connection = try await self.connection()
            _ = try connection.enqueue(ByteBuffer(bytes: request.head))
            let exchange = GatewayExchange(headers.stream, request, connection, self, isComplete: headers.endsStream)
            self.windows.open(headers.stream)
            self.state.withLock { $0.exchanges[headers.stream] = exchange }
            self.exchangeCount.update { $0 += 1 }
            return exchange
        } catch {
            await self.send(.reset(headers.stream, HTTP2Code.refusedStream))
            return nil
        }
    }

    /// Forgets a stream; returns whether there are no others.
    @discardableResult
    func close(_ stream: Int) -> Bool {
        self.windows.close(stream)
        let (wasOpen, isAlone) = self.state.withLock { state in
            let wasOpen = state.exchanges.removeValue(forKey: stream) != nil
            return (wasOpen, state.exchanges.isEmpty)
        }
        if wasOpen { self.exchangeCount.update { $0 -= 1 } }
        return isAlone
    }

    // MARK: The server

    /// Returns an idle connection to the server, or a new one.
    private func connection() async throws(ConnectionError) -> any Connection {
        while let idle = self.state.withLock({ $0.idle.popLast() }) {
            if idle.isReadyForExchange { return idle }
            idle.close()
        }
        return try await self.connector.connect(to: .host("gateway", port: 80), deadline: nil)
    }

    /// Keeps a connection for the next request.
    func keep(_ connection: any Connection) {
        let isKept = self.state.withLock { state in
            if !state.hasEnded { state.idle.append(connection) }
            return !state.hasEnded
        }
        if !isKept { connection.close() }
    }

    /// Ends the client's connection as the server ended its own, or only a stream if there are others.
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
