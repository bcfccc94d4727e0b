// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOTLS
import TernErrors
import TernTransport

/// Waits behind the TLS handler for the handshake to end, then leaves the pipeline.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Succeeds with the protocol that the server chose.
    private let completed: EventLoopPromise<String?>

    init(completed: EventLoopPromise<String?>) { self.completed = completed }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case TLSUserEvent.handshakeCompleted(let negotiated)? = event as? TLSUserEvent else { return }
        self.completed.succeed(negotiated)
        // From here on errors are the connection's: a cut that TLS notices must not look like an end in order.
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let failure = ConnectionError(error)
        self.completed.fail(failure == .uncleanClose || failure == .reset ? .tls(.closed) : failure)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.completed.fail(ConnectionError.tls(.closed))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.completed.fail(ConnectionError.tls(.closed))
    }
}

extension EventLoopPromise {
    fileprivate func fail(_ failure: ConnectionError) { self.fail(failure as any Error) }
}

/// Looks at the first bytes from the server, in front of the TLS handler, and changes none of them.
///
/// NIOSSL does not tell which cipher suite was agreed; the ServerHello says it in the clear (RFC 8446 §4.1.3).
final class ServerHelloHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private(set) var cipherSuite: TLSCipherSuite?
    private var seen = ByteBuffer()

    /// What lies before the cipher suite: record header (5), message header (4), version (2), random (32), session ID
    /// (1 and at most 32).
    private static let maximumByteCount = 5 + 4 + 2 + 32 + 1 + 32 + 2

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        context.fireChannelRead(data)
        guard self.cipherSuite == nil, self.seen.readableBytes < Self.maximumByteCount else { return }
        let count = min(bytes.readableBytes, Self.maximumByteCount - self.seen.readableBytes)
        if var slice = bytes.readSlice(length: count) { self.seen.writeBuffer(&slice) }
        self.cipherSuite = Self.cipherSuite(in: self.seen)
    }

    /// The suite, once enough of the message is here; `nil` if the bytes are something else.
    static func cipherSuite(in bytes: ByteBuffer) -> TLSCipherSuite? {
        var bytes = bytes
        guard bytes.readInteger(as: UInt8.self) == 22,  // handshake
            bytes.readInteger(as: UInt16.self) != nil,
            let recordByteCount = bytes.readInteger(as: UInt16.self)
        else { return nil }
        let start = bytes.readerIndex
        guard bytes.readInteger(as: UInt8.self) == 2,  // server_hello
            bytes.readBytes(length: 3 + 2 + 32) != nil,
            let sessionByteCount = bytes.readInteger(as: UInt8.self), sessionByteCount <= 32,
            bytes.readBytes(length: Int(sessionByteCount)) != nil,
            let number = bytes.readInteger(as: UInt16.self),
            // "Handshake messages MAY be […] fragmented across several records" (RFC 8446 §5.1), with headers between.
            bytes.readerIndex - start <= Int(recordByteCount)
        else { return nil }
        return TLSCipherSuite(rawValue: number)
    }
}
