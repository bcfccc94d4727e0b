// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOTLS
import TernErrors
import TernTransport

/// Waits behind the TLS handler for the handshake to end, then leaves the pipeline.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let completed: EventLoopPromise<Void>

    init(completed: EventLoopPromise<Void>) { self.completed = completed }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent { self.completed.succeed(()) }
        context.fireUserInboundEventTriggered(event)
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
