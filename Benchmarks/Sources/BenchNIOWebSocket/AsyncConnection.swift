// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import NIOCore
internal import NIOWebSocket

/// A connection that does all its work in the caller's task, with NIO's asynchronous interface.
struct AsyncConnection: WebSocketConnection {
    typealias Channel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    let channel: Channel
    let messages: [ByteBuffer]

    private static func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }

    private static func close(_ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) async throws {
        try await outbound.write(Self.frame(.connectionClose, ByteBuffer(integer: UInt16(1_000))))
    }

    func echo(_ count: Int) async throws -> Exchanged {
        try await self.channel.executeThenClose { inbound, outbound in
            var exchanged = Exchanged()
            var frames = inbound.makeAsyncIterator()
            for index in 0..<count {
                let start = ContinuousClock.now
                try await outbound.write(Self.frame(.text, self.messages[index % self.messages.count]))
                guard let frame = try await frames.next() else { break }
                exchanged.trips.append(.now - start)
                exchanged.add(byteCount: frame.data.readableBytes)
            }
            try await Self.close(outbound)
            return exchanged
        }
    }

    func receive() async throws -> Exchanged {
        try await self.channel.executeThenClose { inbound, outbound in
            try await outbound.write(Self.frame(.text, ByteBuffer(string: "go")))
            var exchanged = Exchanged()
            for try await frame in inbound {
                if frame.opcode == .connectionClose {
                    try await Self.close(outbound)
                    break
                }
                exchanged.add(byteCount: frame.data.readableBytes)
            }
            return exchanged
        }
    }

    func send(_ count: Int) async throws -> Exchanged {
        try await self.channel.executeThenClose { inbound, outbound in
            var exchanged = Exchanged()
            for index in 0..<count {
                let message = self.messages[index % self.messages.count]
                try await outbound.write(Self.frame(.text, message))
                exchanged.add(byteCount: message.readableBytes)
            }
            try await Self.close(outbound)
            for try await frame in inbound where frame.opcode == .connectionClose { return exchanged }
            throw UnexpectedAnswer("the connection ended")
        }
    }
}
