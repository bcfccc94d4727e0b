// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests a connection that uses HTTP/2 inside a tunnel, which credentials for one call may have opened.
///
/// Each test also runs with credentials for all calls. Then all calls share the connection.
@Suite("HTTP/2 inside a tunnel for one call", .hangLimit)
struct TunnelForOneCallTests {
    /// A proxy that plays the server behind it, too, and the transport that calls the server.
    ///
    /// The server answers with the number of the connection.
    private struct World {
        let clock = ManualClock()
        let connects = Journal<String>()
        let connector: SteeredConnector
        let transport: HTTPTransport

        init(isForOneCall: Bool) {
            let base = MemoryConnector(clock: self.clock) { [connects] connection in
                guard let connect = try await connection.readHead() else { return }
                connects.note("\(connect.method) \(connect.target) \(connect.fields[.proxyAuthorization] ?? "")")
                try await connection.write(Scene.established)
                let peer = HTTP2Peer(connection)
                try await peer.handshake()
                try await peer.serve { request in
                    if request.path == "/half" { return try await peer.begin(request, "half") }
                    try await peer.respond(to: request, "\(peer.number)")
                }
            }
            self.connector = SteeredConnector(base, applicationProtocol: "h2")
            let configuration = HTTPTransportConfiguration(
                router: Router(.proxy(Proxy(.http, host: "proxy", port: 8080))),
                tunnelAuthorizer: OneCredential(isForOneCall: isForOneCall),
                versions: .automatic
            )
            self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
        }

        func reply(_ path: String = "/") async throws -> HTTPReply {
            let request = Request(.get, "https://a.test\(path)")
            let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: self.clock)
            let reply = try await self.transport.respond(to: call)
            #expect(reply.response.httpVersion == .http2)
            return reply
        }

        func answer() async throws -> String { try await self.reply().body.text() }

        /// Checks that each tunnel was opened with the credentials, and that only idle connections are left.
        func expectSettled(tunnels: Int, idle: Int) async throws {
            #expect(self.connects.all == Array(repeating: "CONNECT a.test:443 Basic YTph", count: tunnels))
            try await eventually("nothing is lent, and \(idle) connections are open") {
                self.transport.connectionCounts == (idle, 0, 0) && self.connector.base.openCount == idle
            }
        }
    }

    @Test(arguments: [true, false])
    func `the connection serves no other call while the call runs`(isForOneCall: Bool) async throws {
        let world = World(isForOneCall: isForOneCall)
        var reply = try await world.reply("/half")
        #expect(try await world.answer() == (isForOneCall ? "2" : "1"))
        var other = try await world.reply("/half")
        #expect(other.response.isConnectionReused == !isForOneCall)
        reply.discardBody()
        other.discardBody()
        try await world.expectSettled(tunnels: isForOneCall ? 3 : 1, idle: isForOneCall ? 0 : 1)
    }

    @Test(arguments: [true, false])
    func `the connection serves no other call after the call`(isForOneCall: Bool) async throws {
        let world = World(isForOneCall: isForOneCall)
        #expect(try await world.answer() == "1")
        try await world.expectSettled(tunnels: 1, idle: isForOneCall ? 0 : 1)
        #expect(try await world.answer() == (isForOneCall ? "2" : "1"))
        try await world.expectSettled(tunnels: isForOneCall ? 2 : 1, idle: isForOneCall ? 0 : 1)
    }

    @Test(arguments: [true, false])
    func `calls that begin at the same time do not share the connection`(isForOneCall: Bool) async throws {
        let world = World(isForOneCall: isForOneCall)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try await world.answer() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers.count == (isForOneCall ? 16 : 1))
        try await world.expectSettled(tunnels: isForOneCall ? 16 : 1, idle: isForOneCall ? 0 : 1)
    }
}

/// Returns the same credential for each tunnel, and does not answer challenges.
private struct OneCredential: TunnelAuthorizer {
    final class Opening: TunnelAuthorization {
        let isForOneCall: Bool

        init(isForOneCall: Bool) { self.isForOneCall = isForOneCall }

        func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField? {
            response == nil ? HTTPField(name: .proxyAuthorization, value: "Basic YTph") : nil
        }

        func accepted() async {}
    }

    let isForOneCall: Bool

    func tunnel(to authority: String, through proxy: Proxy, for call: HTTPCall) -> any TunnelAuthorization {
        Opening(isForOneCall: self.isForOneCall)
    }
}
