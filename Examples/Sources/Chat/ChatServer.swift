// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Serves a room over WebSocket, on loopback, on one separate thread.
struct ChatServer: Sendable {
    /// The WebSocket of a connection; `nil` if the connection was not upgraded.
    private typealias Upgrade = EventLoopFuture<NIOAsyncChannel<WebSocketFrame, WebSocketFrame>?>

    struct NoPort: Error, CustomStringConvertible {
        var description: String { "The server could not open a port." }
    }

    static let path = "/chat"
    private static let maximumMessageByteCount = 64 << 10

    /// Starts a server, passes its port to `body`, and then stops the server, so that the port is free and nothing is connected.
    static func run<Value: Sendable>(
        _ room: ChatRoom,
        at port: Int = 0,
        _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let value = try await Self.run(room, at: port, on: group, body)
            try await group.shutdownGracefully()
            return value
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private static func run<Value: Sendable>(
        _ room: ChatRoom,
        at port: Int,
        on group: MultiThreadedEventLoopGroup,
        _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let listener: NIOAsyncChannel<Upgrade, Never> = try await ServerBootstrap(group: group)
            // Allow the port of a server that has just stopped.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try Self.configure(channel) }
            }
        guard let port = listener.channel.localAddress?.port else { throw NoPort() }
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await Self.serve(room, listener) }
            defer { tasks.cancelAll() }
            return try await body(port)
        }
    }

    private static func serve(_ room: ChatRoom, _ listener: NIOAsyncChannel<Upgrade, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await listener.executeThenClose { upgrades in
                for try await upgrade in upgrades {
                    tasks.addTask {
                        guard let channel = try? await upgrade.get() else { return }
                        try? await ChatMember.serve(channel, in: room)
                    }
                }
            }
        }
    }

    private static func configure(_ channel: any Channel) throws -> Upgrade {
        let upgrader = NIOTypedWebSocketServerUpgrader<NIOAsyncChannel<WebSocketFrame, WebSocketFrame>?>(
            maxFrameSize: Self.maximumMessageByteCount,
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeSucceededFuture(head.uri == Self.path ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    // Join the frames of each message from a client.
                    let aggregator = NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1,
                        maxAccumulatedFrameCount: 64,
                        maxAccumulatedFrameSize: Self.maximumMessageByteCount
                    )
                    try channel.pipeline.syncOperations.addHandler(aggregator)
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
        )
        let upgrades = NIOTypedHTTPServerUpgradeConfiguration(upgraders: [upgrader]) { channel in
            channel.close().map { nil }  // the handshake failed
        }
        let configuration = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrades)
        return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(configuration: configuration)
    }
}
