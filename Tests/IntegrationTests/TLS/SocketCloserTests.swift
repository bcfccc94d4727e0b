// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import Tern
import TernConnections
import TernTesting
import TestSupport
import Testing

@testable import TernNIO

/// Tests that a connection closes its socket itself, because TLS would wait for the server (RFC 5246 §7.2.1).
@Suite("TLS: closing the socket", .hangLimit)
struct SocketCloserTests {
    /// Delays a close, like TLS until the server sends its closure alert.
    private final class Withholder: ChannelOutboundHandler {
        typealias OutboundIn = Never

        private(set) var closeCount = 0

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.closeCount += 1
            promise?.succeed()
        }
    }

    @Test func `a close that TLS holds back closes the socket at once`() throws {
        let clock = ManualClock()
        let (closer, withholder) = (SocketCloser(), Withholder())
        let handler = ConnectionHandler(inbox: Inbox(limit: 1, clock: clock), outbox: Outbox(limit: 1, clock: clock))
        let channel = EmbeddedChannel(handlers: [closer, withholder, handler])
        defer {
            closer.close()  // an embedded channel must not be left open
            channel.embeddedEventLoop.run()
        }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 443)).wait()
        try #require(channel.isActive)
        handler.closesBelowTLS(by: closer)
        handler.close(channel)
        #expect(withholder.closeCount == 1, "TLS sends its closure alert first")
        #expect(!channel.isActive)
    }

    @Test func `a handshake puts the closer below TLS`() async throws {
        let server = try await TrustServer.shared
        let port = server.port(.row(.valid))
        let connection = try await NIOConnector().connect(to: .host("127.0.0.1", port: port), deadline: nil)
        defer { connection.close() }
        let own = try #require(connection as? NIOConnection)
        let configuration = TLSConfiguration(trust: .only(server.roots))
        _ = try await own.startTLS(configuration, to: "localhost", port: port, asking: nil, deadline: nil)
        let hasCloser = try await own.channel.eventLoop.submit { own.handler.value.socketCloser != nil }.get()
        #expect(hasCloser)
    }
}
