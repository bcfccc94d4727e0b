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
