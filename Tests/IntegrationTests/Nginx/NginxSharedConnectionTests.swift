// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import NIOCore
import Tern
import TernConnections
@testable import TernNIO
import TestSupport
import Testing

@Suite("RFC 9113 §9.1.1: one connection for several hosts of nginx", .hangLimit)
struct NginxSharedConnectionTests {
    /// The server's report about a request.
    private struct Report: Equatable {
        /// A number that no other connection of the server has.
        var connection: Substring
        /// The host that the handshake of TLS named.
        var serverName: Substring
        /// The host of the request.
        var host: Substring

        init?(_ data: Data) {
            let parts = String(decoding: data, as: UTF8.self).split(separator: " ")
            guard parts.count == 3 else { return nil }
            (self.connection, self.serverName, self.host) = (parts[0], parts[1], parts[2])
        }
    }

    private static let (one, two) = ("one.tern.test", "two.tern.test")

    private let id = UUID().uuidString

    /// Returns a client with pins, for which each host has the address 127.0.0.1.
    private func makeClient(_ nginx: Nginx, _ pinSets: [PinSet] = []) -> Client {
        let resolver = NameResolver(threadCount: 1) { _ in
            let address = Result { try SocketAddress(ipAddress: "127.0.0.1", port: 0) }
            return address.map { [$0] }.mapError { _ in .notConnected(.interrupted) }
        }
        var configuration = Client.Configuration.patient
        configuration.tls.trust = pinSets.reduce(.only([nginx.root("root")])) { $0.pinning($1) }
        let connector = NIOConnector(clock: SystemClock(), resolver: resolver)
        return Client(configuration: configuration, connector: connector)
    }

    /// Sends a request to a host, and returns the server's report.
    private func call(
        _ client: Client,
        _ nginx: Nginx,
        _ port: Nginx.Port,
        _ host: String,
        body: String? = nil
    ) async throws -> (Report, Response) {
        var request = Request(body == nil ? .get : .post, nginx.url(.https, port, "/?id=\(self.id)", host: host))
        if let body { request = request.body(.data(Data(body.utf8))) }
        let (data, response) = try await client.data(for: request)
        #expect(response.statusCode == 200)
        #expect(response.httpVersion == .http2)
        return (try #require(Report(data)), response)
    }

    /// Waits until the server has logged a number of requests, and returns them.
    private func exchanges(_ nginx: Nginx, _ port: Nginx.Port, _ count: Int) async throws -> [Substring] {
        try await eventually("nginx has logged \(count) requests") {
            try nginx.exchanges(port, id: self.id).count >= count
        }
        return try nginx.exchanges(port, id: self.id)
    }

    @Test func `a second host in the certificate shares the connection`() async throws {
        let nginx = try await Nginx.shared
        let client = self.makeClient(nginx)
        let (first, _) = try await self.call(client, nginx, .http2Shared, Self.one)
        let (second, response) = try await self.call(client, nginx, .http2Shared, Self.two)
        #expect(first.serverName == Self.one)
        #expect(second.connection == first.connection)
        #expect(second.serverName == Self.one)
        #expect(second.host == Self.two)
        #expect(response.isConnectionReused)
        #expect(response.tls?.trust.host == Self.two)
        let number = first.connection
        #expect(
            try await self.exchanges(nginx, .http2Shared, 2)
                == ["\(number) \(Self.one) \(Self.one) 200", "\(number) \(Self.one) \(Self.two) 200"]
        )
    }

    @Test func `many calls to both hosts share the connection`() async throws {
        let nginx = try await Nginx.shared
        let client = self.makeClient(nginx)
        let (first, _) = try await self.call(client, nginx, .http2Shared, Self.one)
        try await withThrowingTaskGroup(of: Report.self) { group in
            for number in 0..<50 {
                let host = number.isMultiple(of: 2) ? Self.one : Self.two
                group.addTask { try await self.call(client, nginx, .http2Shared, host).0 }
            }
            for try await report in group { #expect(report.connection == first.connection) }
        }
    }

    @Test(arguments: [nil, "body"])
    func `after 421, the call is sent once more on a connection of its own`(body: String?) async throws {
        let nginx = try await Nginx.shared
        let client = self.makeClient(nginx)
        let port = Nginx.Port.http2Separate
        let (first, _) = try await self.call(client, nginx, port, Self.one)
        let (second, response) = try await self.call(client, nginx, port, Self.two, body: body)
        #expect(second.serverName == Self.two)
        #expect(second.host == Self.two)
        #expect(second.connection != first.connection)
        #expect(!response.isConnectionReused)
        // The client remembers the answer.
        let (third, _) = try await self.call(client, nginx, port, Self.two)
        #expect(third == second)
        let (fourth, _) = try await self.call(client, nginx, port, Self.one)
        #expect(fourth == first)
        let (shared, own) = (first.connection, second.connection)
        #expect(
            try await self.exchanges(nginx, port, 5) == [
                "\(shared) \(Self.one) \(Self.one) 200", "\(shared) \(Self.one) \(Self.two) 421",
                "\(own) \(Self.two) \(Self.two) 200", "\(own) \(Self.two) \(Self.two) 200",
                "\(shared) \(Self.one) \(Self.one) 200",
            ]
        )
    }

    @Test func `a host that the certificate does not name does not share the connection`() async throws {
        let nginx = try await Nginx.shared
        let client = self.makeClient(nginx)
        _ = try await self.call(client, nginx, .http2Shared, Self.one)
        let fault = await fault { () async throws(ClientError) in
            let url = nginx.url(.https, .http2Shared, "/?id=\(self.id)", host: "three.tern.test")
            _ = try await client.data(for: Request(.get, url))
        }
        guard case .tlsFailed? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(try await self.exchanges(nginx, .http2Shared, 1).count == 1)
    }

    // MARK: Pins

    /// A key that no server has.
    private static let unused = KeyPin(subjectPublicKeyInfo: [1, 2, 3])

    private func set(_ host: String, _ pin: KeyPin, _ enforcement: PinSet.Enforcement = .enforce) throws -> PinSet {
        try PinSet(host: host, pins: [pin], backupPins: [KeyPin(subjectPublicKeyInfo: [4])], enforcement: enforcement)
    }

    /// Returns the key in the certificate that the server presents if the handshake names a host.
    private func key(_ nginx: Nginx, _ host: String) async throws -> KeyPin {
        let (_, response) = try await self.call(self.makeClient(nginx), nginx, .http2Pinned, host)
        return try #require(response.tls?.trust.leafPin)
    }

    @Test(arguments: [[], [one], [two], [one, two]])
    func `a host whose pins accept the certificate shares the connection`(pinned hosts: [String]) async throws {
        let nginx = try await Nginx.shared
        let (shared, own) = (try await self.key(nginx, Self.one), try await self.key(nginx, Self.two))
        #expect(shared != own)
        let client = self.makeClient(nginx, try hosts.map { try self.set($0, shared) })
        let (first, _) = try await self.call(client, nginx, .http2Pinned, Self.one)
        let (second, response) = try await self.call(client, nginx, .http2Pinned, Self.two)
        #expect(second.connection == first.connection)
        #expect(second.serverName == Self.one)
        #expect(response.isConnectionReused)
        #expect(response.tls?.trust.leafPin == shared)
    }

    @Test(arguments: [true, false])
    func `a host whose pins do not accept the certificate has a connection of its own`(
        pinsFirst: Bool
    ) async throws {
        let nginx = try await Nginx.shared
        let (shared, own) = (try await self.key(nginx, Self.one), try await self.key(nginx, Self.two))
        let sets = try (pinsFirst ? [self.set(Self.one, shared)] : []) + [self.set(Self.two, own)]
        let client = self.makeClient(nginx, sets)
        let (first, _) = try await self.call(client, nginx, .http2Pinned, Self.one)
        let (second, response) = try await self.call(client, nginx, .http2Pinned, Self.two)
        #expect(second.connection != first.connection)
        #expect(second.serverName == Self.two)
        #expect(!response.isConnectionReused)
        #expect(response.tls?.trust.leafPin == own)
        #expect(try await self.call(client, nginx, .http2Pinned, Self.two).0 == second)
        #expect(try await self.call(client, nginx, .http2Pinned, Self.one).0 == first)
    }

    @Test func `a host whose pins no certificate satisfies sends nothing on the connection of another`() async throws {
        let nginx = try await Nginx.shared
        let client = self.makeClient(nginx, [try self.set(Self.two, Self.unused)])
        let (first, _) = try await self.call(client, nginx, .http2Shared, Self.one)
        let fault = await fault { () async throws(ClientError) in
            let url = nginx.url(.https, .http2Shared, "/?id=\(self.id)", host: Self.two)
            _ = try await client.data(for: Request(.get, url))
        }
        #expect(fault == .tlsFailed(.pinMismatch))
        #expect(try await self.call(client, nginx, .http2Shared, Self.one).0 == first)
        let exchange = "\(first.connection) \(Self.one) \(Self.one) 200"
        #expect(try await self.exchanges(nginx, .http2Shared, 2).map(String.init) == [exchange, exchange])
    }

    @Test func `pins that only report do not prevent sharing, and report the shared certificate`() async throws {
        let nginx = try await Nginx.shared
        let set = try self.set(Self.two, Self.unused, .reportOnly)
        let client = self.makeClient(nginx, [set])
        let (first, response) = try await self.call(client, nginx, .http2Shared, Self.one)
        #expect(response.tls?.trust.pinReports == [])
        let (second, other) = try await self.call(client, nginx, .http2Shared, Self.two)
        #expect(second.connection == first.connection)
        #expect(other.tls?.trust.pinReports.map(\.pinSet) == [set])
    }
}
