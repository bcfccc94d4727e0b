// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernAuthentication
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("RFC 9113 §9.1.1: one connection for several hosts", .hangLimit)
struct SharedSessionTests {
    /// Servers that answer with their connection's number and the host, and the transport that calls them.
    private struct World {
        let clock = ManualClock()
        let connector: SteeredConnector
        let transport: HTTPTransport

        /// - Parameters:
        ///   - addresses: The addresses of hosts. Defaults to one address for all hosts.
        ///   - names: The hosts that the certificates of all servers are valid for.
        ///   - versions: The versions of HTTP.
        ///   - settings: The settings of the servers.
        ///   - misdirected: The host that the first connection refuses with 421.
        init(
            addresses: [String: String] = ["a.test": "10.0.0.1", "b.test": "10.0.0.1", "c.test": "10.0.0.1"],
            names: Set<String> = ["a.test", "b.test"],
            versions: HTTPVersionPolicy = .automatic,
            settings: [HTTP2Setting] = [],
            misdirected: String? = nil
        ) {
            let base = MemoryConnector(clock: self.clock) { connection in
                let peer = HTTP2Peer(connection)
                try await peer.handshake(settings: settings)
                try await peer.serve { request in
                    let host = request[":authority"] ?? ""
                    if request.path == "/stall" { return }
                    if request.path == "/half" { return try await peer.begin(request, "half") }
                    let isMisdirected = peer.number == 1 && host == misdirected
                    try await peer.respond(to: request, "\(peer.number) \(host)", status: isMisdirected ? 421 : 200)
                }
            }
            self.connector = SteeredConnector(
                base,
                applicationProtocol: "h2",
                addresses: addresses,
                certificateNames: names
            )
            let configuration = HTTPTransportConfiguration(versions: versions, expectContinueThreshold: nil)
            self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
        }

        func reply(_ url: String, body: String? = nil, decider: (any TLSDecider)? = nil) async throws -> HTTPReply {
            var request = Request(body == nil ? .get : .post, url)
            if let body { request = request.body(RequestBody(.data(Data(body.utf8)))) }
            let destination = try request.destination()
            let call = HTTPCall(request, to: destination, timeouts: .none, clock: self.clock, decider: decider)
            return try await self.transport.respond(to: call)
        }

        func answer(_ url: String, body: String? = nil) async throws -> String {
            try await self.reply(url, body: body).body.text()
        }

        func expectSettled(idle: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await eventually("nothing is lent, and \(idle) connections are open") {
                let counts = self.transport.connectionCounts
                return counts == (idle, 0, 0) && self.connector.base.openCount == idle
            }
        }
    }

    @Test func `a host at the same address, and in the certificate, shares the connection`() async throws {
        let world = World()
        #expect(try await world.answer("https://a.test/") == "1 a.test")
        let reply = try await world.reply("https://b.test/")
        #expect(reply.response.isConnectionReused)
        #expect(reply.response.tls?.trust.host == "b.test")
        #expect(try await reply.body.text() == "1 b.test")
        #expect(try await world.answer("https://b.test/again") == "1 b.test")
        #expect(try await world.answer("https://a.test/again") == "1 a.test")
        try await world.expectSettled(idle: 1)
    }

    @Test func `all calls that wait for the connection of a host share the other one`() async throws {
        let world = World()
        _ = try await world.answer("https://a.test/")
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 { group.addTask { try await world.answer("https://b.test/\(number)") } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers == ["1 b.test"])
        try await world.expectSettled(idle: 1)
    }

    /// A reason why a host has a connection of its own.
    enum Difference: CaseIterable, Sendable {
        case address, unknownAddress, certificate, port

        var addresses: [String: String] {
            switch self {
            case .address: ["a.test": "10.0.0.1", "b.test": "10.0.0.2"]
            case .unknownAddress: [:]
            case .certificate, .port: ["a.test": "10.0.0.1", "b.test": "10.0.0.1"]
            }
        }

        var names: Set<String> { self == .certificate ? ["a.test"] : ["a.test", "b.test"] }

        var url: String { self == .port ? "https://b.test:8443/" : "https://b.test/" }
    }

    @Test(arguments: Difference.allCases)
    func `a host whose server may be another has a connection of its own`(difference: Difference) async throws {
        let world = World(addresses: difference.addresses, names: difference.names)
        _ = try await world.answer("https://a.test/")
        #expect(try await world.answer(difference.url).hasPrefix("2 "))
        try await world.expectSettled(idle: 2)
    }

    @Test func `hosts do not share a connection whose version was not chosen by ALPN`() async throws {
        let world = World(versions: .http2PriorKnowledge)
        #expect(try await world.answer("https://a.test/") == "1 a.test")
        #expect(try await world.answer("https://b.test/") == "2 b.test")
        try await world.expectSettled(idle: 2)
    }

    @Test func `a full connection is not shared`() async throws {
        let world = World(settings: [.maximumStreams(1)])
        _ = try await world.answer("https://a.test/")
        let stalling = Task { try await world.answer("https://a.test/stall") }
        try await eventually("the stream is open") { world.transport.connectionCounts.lent == 1 }
        #expect(try await world.answer("https://b.test/") == "2 b.test")
        stalling.cancel()
        _ = await stalling.result
        try await world.expectSettled(idle: 2)
    }

    /// The decider of a call approves the server for that call only, or for all calls.
    @Test(arguments: [true, false])
    func `a connection for one call is not shared while the call runs`(isForOneCall: Bool) async throws {
        let world = World()
        var reply = try await world.reply("https://a.test/half", decider: Approval(isForOneCall: isForOneCall))
        #expect(reply.response.tls?.isForOneCall == isForOneCall)
        #expect(try await world.answer("https://b.test/") == (isForOneCall ? "2 b.test" : "1 b.test"))
        // The second connection is for all calls, so the first host shares it.
        #expect(try await world.answer("https://a.test/") == (isForOneCall ? "2 a.test" : "1 a.test"))
        reply.discardBody()
        #expect(try await world.answer("https://b.test/") == (isForOneCall ? "2 b.test" : "1 b.test"))
        try await world.expectSettled(idle: 1)
    }

    @Test(arguments: [true, false])
    func `a connection for one call is not shared after the call`(isForOneCall: Bool) async throws {
        let world = World()
        let reply = try await world.reply("https://a.test/", decider: Approval(isForOneCall: isForOneCall))
        #expect(try await reply.body.text() == "1 a.test")
        try await world.expectSettled(idle: isForOneCall ? 0 : 1)
        #expect(try await world.answer("https://b.test/") == (isForOneCall ? "2 b.test" : "1 b.test"))
        try await world.expectSettled(idle: 1)
    }

    @Test(arguments: [nil, "body"])
    func `421 undoes the sharing, and repeats the request`(body: String?) async throws {
        let world = World(misdirected: "b.test")
        #expect(try await world.answer("https://a.test/") == "1 a.test")
        // The second connection was closed before TLS, because the first one served.
        #expect(try await world.answer("https://b.test/", body: body) == "3 b.test")
        #expect(try await world.answer("https://b.test/") == "3 b.test")
        #expect(try await world.answer("https://a.test/") == "1 a.test")
        try await world.expectSettled(idle: 2)
    }

    @Test func `421 on a connection of the host itself is the answer`() async throws {
        let world = World(misdirected: "a.test")
        #expect(try await world.reply("https://a.test/").response.statusCode == 421)
        try await world.expectSettled(idle: 1)
    }

    @Test func `a shared connection that ends is replaced by one of the host's own`() async throws {
        let world = World()
        _ = try await world.answer("https://a.test/")
        _ = try await world.answer("https://b.test/")
        world.clock.advance(by: .seconds(3600))
        try await world.expectSettled(idle: 0)
        #expect(try await world.answer("https://b.test/") == "3 b.test")
        #expect(try await world.answer("https://a.test/") == "3 a.test")
        try await world.expectSettled(idle: 1)
    }
}

/// Approves every server.
private final class Approval: TLSDecider {
    private let isForOneCall: Bool

    init(isForOneCall: Bool) { self.isForOneCall = isForOneCall }

    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
        .accept(isForOneCall: self.isForOneCall)
    }

    func identity(for request: ClientCertificateRequest) async -> IdentityDecision { .none }
}
