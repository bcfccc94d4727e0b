// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The server of an example, on loopback and on one separate thread.
///
/// ```swift
/// try await DemoServer.run(answering: { request in .text("You asked for \(request.target)\n") }) { server in
///     let (data, _) = try await client.data(for: Request(.get, "\(server.address)/photos/1"))
/// }
/// ```
public final class DemoServer: Sendable {
    public typealias Answering = @Sendable (DemoRequest) async -> DemoAnswer

    public struct NoPort: Error, CustomStringConvertible {
        public var description: String { "The server could not open a port." }
    }

    private typealias Listener = NIOAsyncChannel<DemoConnection.Channel, Never>

    /// The address of the server, such as `http://127.0.0.1:49152`.
    public let address: String
    public let port: Int
    private let answer: Answering
    private let log = Mutex<(asked: [String], answered: [String])>(([], []))

    private init(port: Int, answer: @escaping Answering) {
        self.address = "http://127.0.0.1:\(port)"
        self.port = port
        self.answer = answer
    }

    /// The requests that the server received, oldest first, such as `GET /photos/1`.
    public var requests: [String] { self.log.withLock { $0.asked } }

    /// The outcomes of the requests, oldest first, such as `GET /photos/1 200` or `GET /photos/2 disconnected`.
    public var journal: [String] { self.log.withLock { $0.answered } }

    func recordRequest(_ line: String) { self.log.withLock { $0.asked.append(line) } }

    func recordEnd(_ line: String) { self.log.withLock { $0.answered.append(line) } }

    /// Starts a server, runs `body`, and then stops the server.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 for any free port.
    ///   - answer: Returns the response to each request.
    ///   - body: A closure that uses the server.
    /// - Returns: The result of `body`.
    /// - Throws: An error of `body`, or an error that says why the server cannot listen.
    @discardableResult
    nonisolated(nonsending) public static func run<Value: Sendable>(
        at port: Int = 0,
        answering answer: @escaping Answering,
        _ body: (DemoServer) async throws -> Value
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let value = try await Self.run(at: port, on: group, answer, body)
            try await group.shutdownGracefully()
            return value
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    nonisolated(nonsending) private static func run<Value: Sendable>(
        at port: Int,
        on group: MultiThreadedEventLoopGroup,
        _ answer: @escaping Answering,
        _ body: (DemoServer) async throws -> Value
    ) async throws -> Value {
        let listener: Listener = try await ServerBootstrap(group: group)
            // Allow the port of a server that has just stopped.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try DemoConnection.makeChannel(on: channel) }
            }
        guard let port = listener.channel.localAddress?.port else { throw NoPort() }
        let server = DemoServer(port: port, answer: answer)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await server.serve(listener) }
            defer { tasks.cancelAll() }
            return try await body(server)
        }
    }

    private func serve(_ listener: Listener) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    tasks.addTask { try? await DemoConnection.serve(connection, for: self, self.answer) }
                }
            }
        }
    }
}
