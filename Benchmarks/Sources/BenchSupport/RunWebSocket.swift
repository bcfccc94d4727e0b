// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Runs the case on the command line with the peer that `makePeer` creates, and prints the measurement.
///
/// The idle memory is the resident memory when the WebSocket is open or, for many WebSockets, before the first one
/// opens. Ends the process.
///
/// - Parameter makePeer: A closure that creates the client under measurement from the arguments.
public func run<P: WebSocketPeer>(_ makePeer: (Arguments) throws -> P) async -> Never {
    await report { try await RunWebSocket(peer: makePeer($0), arguments: $0).measure() }
}

/// Runs the case on the command line with a client for both HTTP and WebSockets.
///
/// - Parameters:
///   - makePeer: A closure that creates the HTTP client under measurement from the arguments.
///   - makeWebSocketPeer: A closure that creates the WebSocket client under measurement from the arguments.
public func run<P: Peer, W: WebSocketPeer>(
    _ makePeer: (Arguments) throws -> P,
    webSocket makeWebSocketPeer: (Arguments) throws -> W
) async -> Never {
    await report { arguments in
        switch arguments.benchmark {
        case .get, .download, .downloads, .upload, .lines, .events, .deltas, .values, .data, .gzip, .brotli, .zstd,
            .start:
            try await Run(peer: makePeer(arguments), arguments: arguments).measure()
        case .echo, .receive, .send, .idle:
            try await RunWebSocket(peer: makeWebSocketPeer(arguments), arguments: arguments).measure()
        }
    }
}

/// Runs one measurement of a WebSocket client.
private struct RunWebSocket<P: WebSocketPeer>: Sendable {
    let peer: P
    let arguments: Arguments

    private var count: Int { self.arguments.requestCount ?? 1 }

    func measure() async throws -> Measurement {
        if self.arguments.benchmark == .idle { return try await self.measureIdle() }
        let connection = try await self.connect(messages: self.arguments.file.isEmpty ? [] : self.messages())
        var trips: [Duration] = []
        var measurement = try await Measurement(of: self.peer.name, label: self.arguments.label) {
            let exchanged = try await onTask(preferring: self.peer.executor) {
                try await self.exchange(on: connection)
            }
            trips = exchanged.trips
            return (exchanged.messageCount, exchanged.byteCount)
        }
        guard measurement.requests == self.count else {
            throw UnexpectedAnswer("\(measurement.requests) messages instead of \(self.count)")
        }
        if !trips.isEmpty {
            measurement.medianTripMicroseconds = trips.sorted()[trips.count / 2] / .microseconds(1)
        }
        return measurement
    }

    private func connect(messages: [String]) async throws -> P.Connection {
        let arguments = self.arguments
        return try await self.peer.connect(
            to: arguments.url,
            offersCompression: arguments.offersCompression,
            messages: messages
        )
    }

    private func exchange(on connection: P.Connection) async throws -> Exchanged {
        switch self.arguments.benchmark {
        case .echo: try await connection.echo(self.count)
        case .receive: try await connection.receive()
        case .send: try await connection.send(self.count)
        default: throw UnexpectedAnswer("\(self.peer.name) is a WebSocket client")
        }
    }

    /// Opens many WebSockets, after a first one that the measurement does not count.
    private func measureIdle() async throws -> Measurement {
        let first = try await self.connect(messages: [])
        var connections: [P.Connection] = []
        let measurement = try await Measurement(of: self.peer.name, label: self.arguments.label) {
            for _ in 0..<self.count { connections.append(try await self.connect(messages: [])) }
            return (connections.count, 0)
        }
        withExtendedLifetime((first, connections)) {}
        return measurement
    }

    /// Returns the messages to send, which all have the same size in bytes.
    private func messages() throws -> [String] {
        guard let file = fopen(self.arguments.file, "r") else {
            throw UnexpectedAnswer("no file \(self.arguments.file)")
        }
        defer { fclose(file) }
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: self.arguments.messageByteCount)
        while fread(&bytes, 1, bytes.count, file) == bytes.count {
            messages.append(String(decoding: bytes, as: UTF8.self))
        }
        return messages
    }
}
