// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Tern
import TernWebSocketCore

/// Listens for WebSockets on a separate port, because SwiftNIO upgrades a connection only on its first request.
struct LiveListener: Sendable {
    /// The connection, or `nil` if the upgrade did not happen.
    typealias Upgrade = EventLoopFuture<LiveMember?>

    private let listener: NIOAsyncChannel<Upgrade, Never>

    static let subprotocol = "photo-events"

    init(on group: MultiThreadedEventLoopGroup) async throws {
        self.listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture { try Self.configure(channel) }
        }
    }

    var port: Int? { self.listener.channel.localAddress?.port }

    func serve(_ room: LiveRoom, _ journal: DemoJournal) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await self.listener.executeThenClose { upgrades in
                for try await upgrade in upgrades {
                    tasks.addTask { try? await upgrade.get()?.serve(room, journal) }
                }
            }
        }
    }

    private static func configure(_ channel: any Channel) throws -> Upgrade {
        let upgrader = NIOTypedWebSocketServerUpgrader<LiveMember?>(
            shouldUpgrade: { channel, head in channel.eventLoop.makeSucceededFuture(Self.fields(for: head)) },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture { try LiveMember(channel, head) }
            }
        )
        let upgrades = NIOTypedHTTPServerUpgradeConfiguration<LiveMember?>(upgraders: [upgrader]) { channel in
            channel.close().map { nil }
        }
        let configuration = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrades)
        return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(configuration: configuration)
    }

    /// Returns the fields of the response to a handshake; `nil` if there is nothing at this path.
    private static func fields(for head: HTTPRequestHead) -> HTTPHeaders? {
        guard head.uri.hasPrefix("/live/") else { return nil }
        var fields = HTTPHeaders()
        if head.headers[canonicalForm: "sec-websocket-protocol"].contains(where: { $0 == Self.subprotocol }) {
            fields.add(name: "sec-websocket-protocol", value: Self.subprotocol)
        }
        if LiveMember.offersCompression(head) {
            fields.add(name: "sec-websocket-extensions", value: "permessage-deflate")
        }
        return fields
    }
}

struct LiveMember: Sendable {
    private let name: String
    private let isCompressed: Bool
    private let channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    /// Must be called on the event loop of the channel.
    init(_ channel: any Channel, _ head: HTTPRequestHead) throws {
        self.name = head.uri.split(separator: "/").last.map(String.init) ?? ""
        self.isCompressed = Self.offersCompression(head)
        self.channel = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    }

    static func offersCompression(_ head: HTTPRequestHead) -> Bool {
        head.headers["sec-websocket-extensions"].contains { $0.hasPrefix(PerMessageDeflate.token) }
    }

    func serve(_ room: LiveRoom, _ journal: DemoJournal) async throws {
        try await self.channel.executeThenClose { frames, replies in
            try room.enter(self.name, self.channel.channel, isCompressed: self.isCompressed)
            defer { room.leave(self.name) }
            var hasClosed = false
            for try await frame in frames {
                switch frame.opcode {
                case .text where try room.received(frame, from: self.name):
                    hasClosed = true
                    try await replies.write(Self.close(.normalClosure, "good night, \(self.name)"))
                case .ping:
                    try await replies.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
                case .connectionClose:
                    var payload = frame.unmaskedData
                    journal.record(.left(self.name, code: payload.readInteger() ?? 1005))
                    if !hasClosed { try await replies.write(frame.answer) }
                    return
                default: break
                }
            }
        }
    }

    private static func close(_ code: CloseCode, _ reason: String) -> WebSocketFrame {
        var payload = ByteBuffer(integer: code.rawValue)
        payload.writeString(reason)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: payload)
    }
}

extension WebSocketFrame {
    fileprivate var answer: WebSocketFrame {
        WebSocketFrame(fin: true, opcode: self.opcode, data: self.unmaskedData)
    }
}
