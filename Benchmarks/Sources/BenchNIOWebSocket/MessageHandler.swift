// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import NIOCore
internal import NIOWebSocket

/// A channel handler that does all its work on the event loop.
final class MessageHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The work in progress.
    enum Work {
        case nothing
        case echoing(remaining: Int, sentAt: ContinuousClock.Instant)
        case receiving
        case sending(remaining: Int)
    }

    private static let flushByteCount = 32 << 10

    private let messages: [ByteBuffer]
    private var context: ChannelHandlerContext?
    private var work = Work.nothing
    private var next = 0
    private var exchanged = Exchanged()
    private var result: EventLoopPromise<Exchanged>?

    init(messages: [ByteBuffer]) { self.messages = messages }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Starts `work`, and returns its result in a future.
    func start(_ work: Work) -> EventLoopFuture<Exchanged> {
        guard let context = self.context else { preconditionFailure("the channel is closed") }
        let result = context.eventLoop.makePromise(of: Exchanged.self)
        self.result = result
        self.work = work
        switch work {
        case .nothing: break
        case .echoing(let count, _): self.sendEcho(remaining: count, context: context)
        case .receiving: self.write(.text, ByteBuffer(string: "go"), context: context)
        case .sending: self.sendMore(context: context)
        }
        context.flush()
        return result.futureResult
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.write(self.wrapOutboundOut(frame), promise: nil)
    }

    private func writeNextMessage(context: ChannelHandlerContext) -> Int {
        let message = self.messages[self.next]
        self.next = self.next + 1 < self.messages.count ? self.next + 1 : 0
        self.write(.text, message, context: context)
        return message.readableBytes
    }

    private func writeClose(context: ChannelHandlerContext) {
        self.write(.connectionClose, ByteBuffer(integer: UInt16(1_000)), context: context)
    }

    private func sendEcho(remaining: Int, context: ChannelHandlerContext) {
        self.work = .echoing(remaining: remaining, sentAt: .now)
        _ = self.writeNextMessage(context: context)
        context.flush()
    }

    /// Writes messages until the channel is not writable.
    private func sendMore(context: ChannelHandlerContext) {
        guard case .sending(var remaining) = self.work else { return }
        var unflushed = 0
        while remaining > 0, context.channel.isWritable {
            let count = self.writeNextMessage(context: context)
            self.exchanged.add(byteCount: count)
            remaining -= 1
            unflushed += count
            if unflushed >= Self.flushByteCount {
                unflushed = 0
                self.work = .sending(remaining: remaining)  // flushing may call this function again
                context.flush()
                guard case .sending(let left) = self.work else { return }
                remaining = left
            }
        }
        self.work = .sending(remaining: remaining)
        if remaining == 0 {
            self.work = .nothing
            self.writeClose(context: context)
        }
        context.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { self.sendMore(context: context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = self.unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            if case .echoing(let remaining, let sentAt) = self.work {
                self.exchanged.trips.append(.now - sentAt)
                if remaining > 1 {
                    self.sendEcho(remaining: remaining - 1, context: context)
                } else {
                    self.writeClose(context: context)
                    context.flush()
                }
            }
            self.exchanged.add(byteCount: frame.data.readableBytes)
        case .connectionClose:
            if case .receiving = self.work {
                self.writeClose(context: context)
                context.flush()
            }
            self.result?.succeed(self.exchanged)
            self.result = nil
        default:
            break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.result?.fail(UnexpectedAnswer("the connection ended"))
        self.result = nil
    }
}

/// A connection that passes its work to the handler.
struct HandlerConnection: WebSocketConnection {
    let handler: NIOLoopBound<MessageHandler>

    private func run(_ work: MessageHandler.Work) async throws -> Exchanged {
        try await self.handler.eventLoop.flatSubmit { self.handler.value.start(work) }.get()
    }

    func echo(_ count: Int) async throws -> Exchanged { try await self.run(.echoing(remaining: count, sentAt: .now)) }
    func receive() async throws -> Exchanged { try await self.run(.receiving) }
    func send(_ count: Int) async throws -> Exchanged { try await self.run(.sending(remaining: count)) }
}
