// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Tern

/// One connection to the live channel, on the server's side.
struct LiveMember: Sendable {
    private let name: String
    private let isCompressed: Bool
    private let channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    /// Takes over a connection that was upgraded; runs on its event loop.
    init(_ channel: any Channel, _ head: HTTPRequestHead) throws {
        self.name = head.uri.split(separator: "/").last.map(String.init) ?? ""
        self.isCompressed = Self.offersCompression(head)
        self.channel = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    }

    /// Whether the client can compress.
    static func offersCompression(_ head: HTTPRequestHead) -> Bool {
        head.headers["sec-websocket-extensions"].contains { $0.hasPrefix(PerMessageDeflate.token) }
    }

    /// Serves until one side closes.
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
    /// The same frame as a server sends it.
    fileprivate var answer: WebSocketFrame {
        WebSocketFrame(fin: true, opcode: self.opcode, data: self.unmaskedData)
    }
}
