// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Closes the socket of an encrypted connection without waiting for the peer, as the handler nearest to the socket.
///
/// The TLS handler would wait for close_notify, but: "It is not required for the initiator of the close to wait for the
/// responding close_notify alert before closing the read side of the connection" (RFC 5246 §7.2.1).
final class SocketCloser: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Closes the socket now; bytes that it has not taken yet are lost.
    func close() { self.context?.close(promise: nil) }
}
