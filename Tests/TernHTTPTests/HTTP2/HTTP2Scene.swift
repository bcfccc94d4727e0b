// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

extension TransportScene {
    /// The server's code for one connection; when it returns, the connection is closed.
    typealias HTTP2Server = @Sendable (HTTP2Peer) async throws -> Void

    /// A transport that uses HTTP/2 at once, and a server for each of its connections.
    static func http2(
        _ configuration: HTTPTransportConfiguration = .priorKnowledge,
        _ server: @escaping HTTP2Server
    ) -> Scene {
        Scene(ScriptedServer { _ in .stall }, configuration) { connection in try await server(HTTP2Peer(connection)) }
    }

    /// A server that answers each request by a closure.
    static func http2Answering(
        _ configuration: HTTPTransportConfiguration = .priorKnowledge,
        settings: [HTTP2Setting] = [],
        resets: Journal<Int>? = nil,
        _ answer: @escaping @Sendable (HTTP2Peer, HTTP2Headers) async throws -> Void
    ) -> Scene {
        Scene.http2(configuration) { peer in
            try await peer.handshake(settings: settings)
            try await peer.serve(noting: resets) { request in try await answer(peer, request) }
        }
    }

    /// Sends a GET for a path, and reads the whole response.
    func get(_ path: String, timeouts: Timeouts = .none) async throws -> Answer {
        try await self.answer(to: Request(.get, "http://test\(path)"), timeouts: timeouts)
    }

    /// Sends a GET for a path, and gives the reply when its head is here.
    func head(of path: String, timeouts: Timeouts = .none) async throws -> HTTPReply {
        try await self.reply(to: Request(.get, "http://test\(path)"), timeouts: timeouts)
    }

    /// The error that a GET for a path ends in.
    func error(of path: String, timeouts: Timeouts = .none) async -> ClientError? {
        await self.failure(of: Request(.get, "http://test\(path)"), timeouts: timeouts)
    }

    /// Checks that nothing leaks, once the connections that end have ended.
    func expectSettled(idle: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually("nothing is lent, and \(idle) connections are open") {
            let counts = self.transport.connectionCounts
            return counts.lent == 0 && counts.idle == idle && self.connector.openCount == idle
        }
        self.expectNoLeak(idle: idle, sourceLocation: sourceLocation)
    }
}

extension HTTPTransportConfiguration {
    /// HTTP/2 without TLS; no body waits for `100 Continue` unless its request asks for it.
    static var priorKnowledge: HTTPTransportConfiguration {
        HTTPTransportConfiguration(versions: .http2PriorKnowledge, expectContinueThreshold: nil)
    }

    /// A changed copy.
    func with(_ change: (inout HTTPTransportConfiguration) -> Void) -> HTTPTransportConfiguration {
        var configuration = self
        change(&configuration)
        return configuration
    }
}

extension Timeouts {
    /// Only the limits that a test gives.
    static func only(firstByte: Duration? = nil, idle: Duration? = nil, call: Duration? = nil) -> Timeouts {
        Timeouts(connect: nil, connection: nil, firstByte: firstByte, idle: idle, call: call)
    }
}
