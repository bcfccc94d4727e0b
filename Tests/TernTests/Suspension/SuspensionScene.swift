// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernConnections
import TernRequests
import TernTesting
import TestSupport
import Testing

/// A client that is suspended together with its app, and a server that goes on.
struct SuspensionScene: Sendable {
    /// The version of HTTP.
    ///
    /// These tests set it themselves, because they end whole connections.
    enum Version: CaseIterable { case http1, http2 }

    /// The event that the client notices first when it goes on.
    enum Awakening: CaseIterable {
        /// The machine slept, so timers are late: the end of the connection comes first.
        case fromSleep
        /// The machine was awake, and the system had suspended the process. The end of the connection comes first.
        case endFirst
        /// The machine was awake, and the system had suspended the process. The timers that are due come first.
        case timersFirst
    }

    /// A request at the server, whichever the version is.
    struct Arrival: Sendable {
        /// The number of the connection, from 1.
        let connection: Int
        /// The number of the request on its connection, from 1.
        let number: Int
        /// Sends a whole response.
        let respond: @Sendable (String) async throws -> Void
        /// Sends the head of a response, and the first bytes of its body, which has this length.
        let begin: @Sendable (_ text: String, _ length: Int) async throws -> Void
        /// Sends the rest of the body.
        let end: @Sendable (String) async throws -> Void
    }

    /// The connections that the server has not ended.
    final class Line: Sendable {
        private let connections = Mutex<[ServerConnection]>([])

        func add(_ connection: ServerConnection) { self.connections.withLock { $0.append(connection) } }

        /// Resets all connections.
        func reset() {
            for connection in self.connections.withLock({ connections in
                defer { connections = [] }
                return connections
            }) {
                connection.reset()
            }
        }
    }

    /// The time for which the app does nothing: longer than any time limit, except for that of a whole call.
    static let pause = Duration.seconds(3600)

    let clock = SleepingClock()
    let line = Line()
    let connector: MemoryConnector
    let client: Client

    /// Creates a scene whose server is a closure for each connection.
    init(
        _ configuration: Client.Configuration = Client.Configuration(),
        connection server: @escaping MemoryConnector.Server
    ) {
        let line = self.line
        self.connector = MemoryConnector(clock: self.clock) { connection in
            line.add(connection)
            try await server(connection)
        }
        self.client = Client(configuration: configuration, connector: self.connector, clock: self.clock)
    }

    /// Creates a scene whose server answers requests over a version of HTTP.
    init(
        _ version: Version,
        timeouts: Timeouts = Timeouts(),
        _ answer: @escaping @Sendable (Arrival) async throws -> Void
    ) {
        var configuration = Client.Configuration()
        configuration.timeouts = timeouts
        configuration.httpVersion = version == .http1 ? .http1 : .http2PriorKnowledge
        configuration.http2KeepAlive = nil  // so that the only timers are those of the calls and of the pool
        self.init(configuration) { connection in
            switch version {
            case .http1: try await Self.serveHTTP1(connection, answer)
            case .http2: try await Self.serveHTTP2(HTTP2Peer(connection), answer)
            }
        }
    }

    private static func serveHTTP1(
        _ connection: ServerConnection,
        _ answer: @Sendable (Arrival) async throws -> Void
    ) async throws {
        for number in 1... {
            guard try await connection.readHead() != nil else { return }
            let begin = { @Sendable (text: String, length: Int) async throws in
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(text)")
            }
            try await answer(
                Arrival(
                    connection: connection.number,
                    number: number,
                    respond: { try await begin($0, $0.utf8.count) },
                    begin: begin,
                    end: { try await connection.write($0) }
                )
            )
        }
    }

    private static func serveHTTP2(
        _ peer: HTTP2Peer,
        _ answer: @Sendable (Arrival) async throws -> Void
    ) async throws {
        try await peer.handshake()
        for number in 1... {
            guard let request = try await peer.nextRequest() else { return }
            try await answer(
                Arrival(
                    connection: peer.number,
                    number: number,
                    respond: { try await peer.respond(to: request, $0) },
                    begin: { try await peer.begin(request, $0, fields: [("content-length", "\($1)")]) },
                    end: { try await peer.end(request, $0) }
                )
            )
        }
    }

    // MARK: The app

    func get() async throws(ClientError) -> String { try await self.client.string(for: Request(.get, "http://test/")) }

    /// Reads a body, and notes its pieces; returns the error, if there is one.
    func read(noting pieces: Journal<String>) -> Task<ClientError?, Never> {
        Task {
            await failure { () async throws(ClientError) in
                let (bytes, _) = try await self.client.bytes(from: testURL)
                for try await piece in bytes.chunks { pieces.note(String(decoding: piece, as: UTF8.self)) }
            }
        }
    }

    /// Suspends the app, and resets all connections in this time.
    ///
    /// Call ``passTimers(_:)`` when the app has noticed.
    func suspend(_ awakening: Awakening) {
        switch awakening {
        case .fromSleep: self.clock.sleep(for: Self.pause)
        case .endFirst: break
        case .timersFirst: self.clock.advance(by: Self.pause)
        }
        self.line.reset()
    }

    /// Runs the timers that became due while the app was suspended, if they come last.
    func passTimers(_ awakening: Awakening) {
        if awakening != .timersFirst { self.clock.advance(by: Self.pause) }
    }
}
