// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOPosix

/// A server that writes its responses as bytes, and behaves in another way for each path; see ``SoakHandler``.
enum SoakServer {
    /// Prints the port, then serves without end.
    static func run() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(SoakHandler()) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
        try await channel.closeFuture.get()
    }
}

/// Reads requests, and answers them or misbehaves as the path demands.
final class SoakHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// The handler waits for a request's head. Exit: when the head is complete.
        case head
        /// The handler skips a body of known length. Exit: at the end of the body.
        case counted(remaining: Int, path: String)
        /// The handler skips a chunked body, whose data never contains the digit zero. Exit: at the last chunk.
        case chunked(path: String)
        /// The handler answers nothing more. No exit.
        case mute
    }

    private static let lastChunk = Array("0\r\n\r\n".utf8)

    private var state = State.head
    private var unread = ByteBuffer()
    private var requestCount = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        self.unread.writeBuffer(&bytes)
        while self.advance(context) {}
        self.unread.discardReadBytes()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func advance(_ context: ChannelHandlerContext) -> Bool {
        switch self.state {
        case .mute:
            self.unread.clear()
            return false
        case .head:
            return self.readHead()
        case .counted(let remaining, let path):
            let count = min(remaining, self.unread.readableBytes)
            self.unread.moveReaderIndex(forwardBy: count)
            self.state = .counted(remaining: remaining - count, path: path)
            guard remaining == count else { return false }
            self.answer(path, context)
            return true
        case .chunked(let path):
            let view = self.unread.readableBytesView
            guard view.suffix(Self.lastChunk.count).elementsEqual(Self.lastChunk) else { return false }
            self.unread.clear()
            self.answer(path, context)
            return true
        }
    }

    private func readHead() -> Bool {
        let view = self.unread.readableBytesView
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let length = end.upperBound - view.startIndex
        guard let head = self.unread.readString(length: length)?.split(separator: "\r\n"), let line = head.first else {
            return false
        }
        let path = String(line.split(separator: " ")[1])
        let fields = head.dropFirst().map { $0.lowercased() }
        if fields.contains(where: { $0.hasPrefix("transfer-encoding:") }) {
            self.state = .chunked(path: path)
        } else {
            let value = fields.first { $0.hasPrefix("content-length: ") }?.dropFirst("content-length: ".count)
            self.state = .counted(remaining: value.flatMap { Int($0) } ?? 0, path: path)
        }
        self.requestCount += 1
        return true
    }

    private func answer(_ path: String, _ context: ChannelHandlerContext) {
        let parts = path.split(separator: "/")
        let fault = SoakFault(rawValue: String(parts.first ?? ""))
        let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        self.state = fault.map { self.commit($0, context) } ?? .head
        guard fault == nil else { return }
        switch parts.first {
        case "chunked": self.send(SoakAnswer.chunked(count), context)
        case "lines": self.send(SoakAnswer.lines(count), context)
        default: self.send(SoakAnswer.counted(count), context)
        }
    }

    /// Misbehaves in a given way, and returns the next state.
    private func commit(_ fault: SoakFault, _ context: ChannelHandlerContext) -> State {
        switch fault {
        case .cutHead: self.send("HTTP/1.1 200 OK\r\nContent-", context, then: .close)
        case .cutBody: self.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour", context, then: .close)
        case .resetHead: self.send("", context, then: .reset)
        case .resetBody: self.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour", context, then: .reset)
        case .stallHead: self.send("HTTP/1.1 200 OK\r\nContent-", context)
        case .stallBody: self.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour", context)
        case .halfClose: self.send(SoakAnswer.counted(100), context, then: .halfClose)
        case .garbage: self.send("SSH-2.0-OpenSSH_9.2p1\r\n", context)
        case .close: self.send(SoakAnswer.counted(100), context, then: .close)
        case .stale:
            guard self.requestCount > 1 else {
                self.send(SoakAnswer.counted(100), context)
                return .head
            }
            self.send("", context, then: .close)
        case .drip:
            self.drip(SoakAnswer.counted(20), context)
            return .head
        }
        return .mute
    }

    // MARK: Sending

    private enum Ending {
        case none, close, reset, halfClose
    }

    private func send(_ text: String, _ context: ChannelHandlerContext, then ending: Ending = .none) {
        self.send(ByteBuffer(string: text), context, then: ending)
    }

    private func send(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, then ending: Ending = .none) {
        context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil)
        switch ending {
        case .none: break
        case .close: context.close(promise: nil)
        case .halfClose: context.close(mode: .output, promise: nil)
        case .reset:
            let options = context.channel as? any SocketOptionProvider
            _ = options?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            context.close(promise: nil)
        }
    }

    /// Sends the bytes one by one, with a short pause after each.
    private func drip(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        var bytes = bytes
        guard let byte = bytes.readSlice(length: 1), context.channel.isActive else { return }
        context.writeAndFlush(Self.wrapOutboundOut(byte), promise: nil)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let rest = bytes
        context.eventLoop.scheduleTask(in: .milliseconds(1)) { bound.value.0.drip(rest, bound.value.1) }
    }
}

/// A wrong or unusual behaviour of the server, which a path selects.
enum SoakFault: String, CaseIterable, Sendable {
    case cutHead = "cut-head"
    case cutBody = "cut-body"
    case resetHead = "reset-head"
    case resetBody = "reset-body"
    case stallHead = "stall-head"
    case stallBody = "stall-body"
    case halfClose = "half-close"
    case garbage
    case close
    case stale
    case drip
}

/// The correct answers of the server.
enum SoakAnswer {
    static func counted(_ count: Int) -> ByteBuffer {
        var bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
        bytes.writeRepeatingByte(UInt8(ascii: "x"), count: count)
        return bytes
    }

    static func chunked(_ count: Int) -> ByteBuffer {
        var bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        var rest = count
        while rest > 0 {
            let size = min(rest, 1000)
            bytes.writeString("\(String(size, radix: 16))\r\n")
            bytes.writeRepeatingByte(UInt8(ascii: "x"), count: size)
            bytes.writeString("\r\n")
            rest -= size
        }
        bytes.writeString("0\r\n\r\n")
        return bytes
    }

    static func lines(_ count: Int) -> ByteBuffer {
        let body = (0..<count).map { "line \($0)\n" }.joined()
        return ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}
