// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOTLS
import TernConnections
import TernErrors

/// Waits behind the TLS handler for the end of the handshake, and then leaves the pipeline.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Succeeds at the end of the handshake, with the protocol that the server chose (ALPN).
    private let completed: EventLoopPromise<String?>
    private let hello: ServerHelloHandler
    private let judge: HandshakeJudge

    init(completed: EventLoopPromise<String?>, hello: ServerHelloHandler, judge: HandshakeJudge) {
        self.completed = completed
        self.hello = hello
        self.judge = judge
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case TLSUserEvent.handshakeCompleted(let negotiated)? = event as? TLSUserEvent else { return }
        self.completed.succeed(negotiated)
        // From now on, errors must reach the connection's handler: a truncation must not look like a normal end.
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The beginning of the server's answer says more than the library's error.
        let answer = self.hello.foreignProtocol.map(ConnectionError.tls)
        self.completed.fail(answer ?? ConnectionError(handshaking: error, self.judge.shown))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.completed.fail(.tls(self.hello.foreignProtocol ?? .closed))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.completed.fail(ConnectionError.tls(.closed))
    }
}

extension EventLoopPromise {
    fileprivate func fail(_ failure: ConnectionError) { self.fail(failure as any Error) }
}

/// Reads the server's first bytes before the TLS handler, for the cipher suite in the ServerHello (RFC 8446 §4.1.3).
///
/// NIOSSL does not report the suite.
final class ServerHelloHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private(set) var cipherSuite: TLSCipherSuite?
    private var seen = ByteBuffer()

    /// Record header (5), message header (4), version (2), random (32), session ID (1 and at most 32), cipher suite (2).
    private static let maximumByteCount = 5 + 4 + 2 + 32 + 1 + 32 + 2

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.look(at: Self.unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    private func look(at bytes: ByteBuffer) {
        var bytes = bytes
        guard self.cipherSuite == nil, self.seen.readableBytes < Self.maximumByteCount else { return }
        let count = min(bytes.readableBytes, Self.maximumByteCount - self.seen.readableBytes)
        if var slice = bytes.readSlice(length: count) { self.seen.writeBuffer(&slice) }
        self.cipherSuite = Self.cipherSuite(in: self.seen)
    }

    /// The failure for a server that does not answer with TLS; `nil` if the answer is TLS, or has not arrived.
    var foreignProtocol: TLSFailure? { Self.foreignProtocol(in: self.seen.readableBytesView) }

    static func foreignProtocol(in bytes: some Collection<UInt8>) -> TLSFailure? {
        guard let first = bytes.first else { return nil }
        // "enum { invalid(0), change_cipher_spec(20), alert(21), handshake(22), application_data(23), (255) }
        // ContentType" (RFC 8446 §5.1).
        if 20...23 ~= first { return nil }
        // An HTTP server answers the ClientHello with a status line, or with a page alone, as HTTP/0.9 servers did.
        let isHTTP = bytes.starts(with: "HTTP/".utf8) || first == UInt8(ascii: "<")
        return isHTTP ? .plainHTTP : .notTLS
    }

    /// Returns the cipher suite of a ServerHello; `nil` for another message, or if the bytes of its first record lack the suite.
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
            // "Handshake messages MAY be […] fragmented across several records" (RFC 8446 §5.1), with record headers between the
            // fragments, so a suite beyond the first record is not read.
            bytes.readerIndex - start <= Int(recordByteCount)
        else { return nil }
        return TLSCipherSuite(rawValue: number)
    }
}
