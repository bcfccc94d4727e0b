// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests what a server receives when the client closes a connection.
///
/// "Endpoints SHOULD always send a GOAWAY frame before closing a connection so that the remote peer can know whether a
/// stream has been partially processed or not" (RFC 9113 §6.8).
@Suite("RFC 9113 §6.8: connections that the client closes", .hangLimit)
struct HTTP2ClosingTests {
    /// The last frame, and the end of the connection, in the order in which the server sees them.
    private enum Sight: Equatable { case goAway(last: Int, code: Int), end }

    private let seen = Journal<Sight>()

    /// A server that answers each request, and notes how the connection ends.
    private func scene(_ change: (inout HTTPTransportConfiguration) -> Void = { _ in }) -> Scene {
        Scene.http2(HTTPTransportConfiguration.priorKnowledge.with(change)) { [seen = self.seen] peer in
            try await peer.handshake()
            while let frame = try await peer.nextFrame() {
                switch frame {
                case .headers(let request): try await peer.respond(to: request, "fine")
                case .goAway(let last, let code): seen.note(.goAway(last: last, code: code))
                default: break
                }
            }
            seen.note(.end)
        }
    }

    @Test func `a connection that was idle too long ends with GOAWAY`() async throws {
        let scene = self.scene { $0.pool.idleTimeout = .seconds(60) }
        #expect(try await scene.get("/") == Answer(text: "fine"))
        try await scene.expectSettled(idle: 1)
        scene.clock.advance(by: .seconds(60))
        #expect(await self.seen.wait(for: 2) == [.goAway(last: 0, code: HTTP2Code.noError), .end])
        try await scene.expectSettled(idle: 0)
    }

    @Test func `an idle connection that makes room for one to another host ends with GOAWAY`() async throws {
        let scene = self.scene { $0.pool.maximumIdleConnections = 1 }
        #expect(try await scene.get("/") == Answer(text: "fine"))
        #expect(try await scene.answer(to: Request(.get, "http://other/")) == Answer(text: "fine"))
        #expect(await self.seen.wait(for: 2) == [.goAway(last: 0, code: HTTP2Code.noError), .end])
        try await scene.expectSettled(idle: 1)
    }

    @Test func `an idle connection ends with GOAWAY when the transport is released`() async throws {
        let connector: MemoryConnector  // is kept, because releasing it would end the server
        do {
            let scene = self.scene()
            #expect(try await scene.get("/") == Answer(text: "fine"))
            try await scene.expectSettled(idle: 1)
            connector = scene.connector
        }
        #expect(await self.seen.wait(for: 2) == [.goAway(last: 0, code: HTTP2Code.noError), .end])
        withExtendedLifetime(connector) {}
    }
}
