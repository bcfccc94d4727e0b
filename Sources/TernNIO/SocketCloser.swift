// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Closes the socket of an encrypted connection, without waiting for the peer.
///
/// The TLS handler would wait for the peer's close_notify before it closes the socket. If the peer is silent, that
/// takes seconds. "It is not required for the initiator of the close to wait for the responding close_notify alert
/// before closing the read side of the connection" (RFC 5246 §7.2.1), and the client closes only connections that it no
/// longer reads.
///
/// This is the handler nearest to the socket. It exists only on encrypted connections, and runs only on the event loop.
final class SocketCloser: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Closes the socket now.
    ///
    /// Bytes that the socket has not taken yet are lost.
    func close() { self.context?.close(promise: nil) }
}
