// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOWebSocket

/// One connection to the chat, on the server's side.
enum ChatMember {
    /// The client did not send its name, or sent a message that is not a request.
    private struct Unintelligible: Error {}

    /// Serves one member until one side closes the connection.
    static func serve(
        _ channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>,
        in room: ChatRoom
    ) async throws {
        try await channel.executeThenClose { frames, replies in
            var frames = frames.makeAsyncIterator()
            guard case .join(let name, let known, let number)? = try await Self.request(&frames, replies),
                name.utf8.count <= ChatLine.maximumNameByteCount
            else { throw Unintelligible() }
            let (member, after, lines) = room.join(after: number, of: known)
            defer { room.leave(member) }
            try await Self.send(.welcome(room: room.id, after: after), replies)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    for await line in lines { try await Self.send(.line(line), replies) }
                    channel.channel.close(promise: nil)  // the member reads too slowly
                }
                while let request = try await Self.request(&frames, replies) {
                    guard case .say(let id, let text) = request, text.utf8.count <= ChatLine.maximumTextByteCount else {
                        throw Unintelligible()
                    }
                    try room.say(text, id: id, by: name)
                }
                tasks.cancelAll()
            }
        }
    }

    private static func send(
        _ reply: ChatReply,
        _ replies: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws {
        try await replies.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: reply.json)))
    }

    /// Returns the next request, and answers pings while it waits; `nil` when the client has closed the connection.
    private static func request(
        _ frames: inout NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator,
        _ replies: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws -> ChatRequest? {
        while let frame = try await frames.next() {
            let data = frame.unmaskedData
            switch frame.opcode {
            case .text:
                guard let request = ChatRequest(json: String(buffer: data)) else { throw Unintelligible() }
                return request
            case .ping: try await replies.write(WebSocketFrame(fin: true, opcode: .pong, data: data))
            case .connectionClose:
                try await replies.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
                return nil
            default: break
            }
        }
        return nil
    }
}
