// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Closes a socket below TLS.
///
/// The TLS handler waits for the peer's close_notify before it lets a close pass, for seconds if the peer is silent.
/// "It is not required for the initiator of the close to wait for the responding close_notify alert before closing the
/// read side of the connection" (RFC 5246 §7.2.1), and the client closes only what it no longer reads.
///
/// It is the handler nearest to the socket, on encrypted connections only, and runs on the event loop only.
final class SocketCloser: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Closes the socket now; bytes that it has not taken are lost.
    func close() { self.context?.close(promise: nil) }
}
