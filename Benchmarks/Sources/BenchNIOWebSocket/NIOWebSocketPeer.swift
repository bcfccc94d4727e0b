// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

@main struct NIOWebSocketPeer: WebSocketPeer {
    let name: String
    private let usesAsyncInterface: Bool

    static func main() async { await run(NIOWebSocketPeer.init) }

    private init(arguments: Arguments) {
        self.usesAsyncInterface = arguments.usesAsyncInterface
        self.name = arguments.usesAsyncInterface ? "nio-async" : "nio"
    }

    func connect(to url: String, offersCompression: Bool, messages: [String]) async throws -> NIOConnection {
        guard !offersCompression else { throw UnexpectedAnswer("NIOWebSocket does not compress") }
        let url = try WebSocketURL(url)
        let messages = messages.map(ByteBuffer.init(string:))
        let isAsync = self.usesAsyncInterface
        let opened = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: url.host, port: url.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.open(url, on: channel) { channel, _ in
                        channel.eventLoop.makeCompletedFuture { try Self.wrap(channel, messages, isAsync: isAsync) }
                    }
                }
            }
        guard let connection = try await opened.get() else { throw UnexpectedAnswer("no WebSocket") }
        return connection
    }

    /// Creates the connection for a channel, after the handshake.
    private static func wrap(
        _ channel: any Channel,
        _ messages: [ByteBuffer],
        isAsync: Bool
    ) throws -> NIOConnection? {
        if isAsync {
            let channel = try AsyncConnection.Channel(wrappingChannelSynchronously: channel)
            return .async(AsyncConnection(channel: channel, messages: messages))
        }
        let handler = MessageHandler(messages: messages)
        try channel.pipeline.syncOperations.addHandler(handler)
        return .handler(HandlerConnection(handler: NIOLoopBound(handler, eventLoop: channel.eventLoop)))
    }

    private static func open(
        _ url: WebSocketURL,
        on channel: any Channel,
        upgraded: @escaping @Sendable (any Channel, HTTPResponseHead) -> EventLoopFuture<NIOConnection?>
    ) throws -> EventLoopFuture<NIOConnection?> {
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: url.target,
            headers: ["Host": "\(url.host):\(url.port)"]
        )
        let configuration = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: head,
            upgraders: [NIOTypedWebSocketClientUpgrader(maxFrameSize: 1 << 24, upgradePipelineHandler: upgraded)],
            notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(nil) }
        )
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        )
    }
}

/// A connection that uses a channel in one of two ways: with a handler, or with the asynchronous interface.
enum NIOConnection: WebSocketConnection {
    case handler(HandlerConnection)
    case async(AsyncConnection)

    private var chosen: any WebSocketConnection {
        switch self {
        case .handler(let connection): connection
        case .async(let connection): connection
        }
    }

    func echo(_ count: Int) async throws -> Exchanged { try await self.chosen.echo(count) }
    func receive() async throws -> Exchanged { try await self.chosen.receive() }
    func send(_ count: Int) async throws -> Exchanged { try await self.chosen.send(count) }
}

/// The parts of `ws://host:port/path?query`.
private struct WebSocketURL {
    let host: String
    let port: Int
    let target: String

    init(_ url: String) throws {
        let rest = url.dropFirst("ws://".count)
        let authority = rest.prefix { $0 != "/" }
        let parts = authority.split(separator: ":")
        guard url.hasPrefix("ws://"), parts.count == 2, let port = Int(parts[1]) else {
            throw UnexpectedAnswer("not ws://host:port/path: \(url)")
        }
        self.host = String(parts[0])
        self.port = port
        self.target = String(rest.dropFirst(authority.count))
    }
}
