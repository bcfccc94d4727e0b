// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests a client that presents a certificate over HTTP/2, where calls share the connection with the certificate.
@Suite("Trust: client certificates over HTTP/2", .hangLimit)
struct HTTP2ClientIdentityTests {
    typealias Source = ClientIdentityTests.Source

    private static let subject = "CN=Tern test client"

    private static func identity(_ server: TrustServer) -> ClientIdentity {
        .pemFiles(certificates: server.matrix.file("client.pem"), privateKey: server.matrix.file("client.key"))
    }

    /// Makes a call over HTTP/2, and returns the server's report about its connection.
    private func report(
        _ client: Client,
        _ server: TrustServer,
        _ entry: TrustServer.Entry,
        _ delegate: (any TaskDelegate)? = nil
    ) async throws -> TrustServer.Report {
        let (data, response) = try await client.data(for: server.get(entry), delegate: delegate)
        let report = TrustServer.Report(data)
        #expect(response.isSuccess)
        #expect(response.httpVersion == .http2)
        #expect(report.applicationProtocol == "h2")
        return report
    }

    @Test(arguments: Source.allCases, [TrustServer.Entry.http2Mutual, .http2Optional])
    func `the server sees the certificate`(_ source: Source, _ entry: TrustServer.Entry) async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate.showing(Self.identity(server))
        let client = server.makeClient(delegate: source == .clientDelegate ? delegate : nil) {
            if source == .configuration { $0.tls.identity = Self.identity(server) }
        }
        let report = try await self.report(client, server, entry, source == .taskDelegate ? delegate : nil)
        #expect(report.client == Self.subject)
        #expect(report.verification == "SUCCESS")
        #expect(delegate.identified.count == (source == .configuration ? 0 : 1))
    }

    @Test func `a client without a certificate gets the server's answer`() async throws {
        let server = try await TrustServer.shared
        let (_, response) = try await server.makeClient().data(for: server.get(.http2Mutual))
        #expect(response.status == .badRequest)
        #expect(response.httpVersion == .http2)
    }

    /// The server's certificate is for `localhost` and 127.0.0.1, which have the same address.
    @Test(arguments: [true, false])
    func `a certificate that a call's delegate showed is not for calls to another host`(isShown: Bool) async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let delegate = isShown ? TrustDelegate.showing(Self.identity(server)) : TrustDelegate()
        let long = server.get(.http2Optional, "/long")
        let (bytes, response) = try await client.bytes(for: long, delegate: delegate)
        #expect(response.tls?.isForOneCall == isShown)
        let other = Request(.get, server.url(.http2Optional, host: "127.0.0.1"))
        let (data, answer) = try await client.data(for: other)
        #expect(TrustServer.Report(data).verification == "NONE")
        // A connection without a certificate serves both hosts.
        #expect(answer.isConnectionReused == !isShown)
        var count = 0
        for try await chunk in bytes.chunks { count += chunk.count }
        #expect(count == TrustServer.longByteCount)
        #expect(try await self.report(client, server, .http2Optional).connection == TrustServer.Report(data).connection)
    }

    @Test(arguments: [Source.configuration, .clientDelegate])
    func `a certificate for all calls serves them at once, over one connection`(_ source: Source) async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate.showing(Self.identity(server))
        let client = server.makeClient(delegate: source == .clientDelegate ? delegate : nil) {
            if source == .configuration { $0.tls.identity = Self.identity(server) }
        }
        let first = try await self.report(client, server, .http2Mutual)
        #expect(first.client == Self.subject)
        try await withThrowingTaskGroup(of: TrustServer.Report.self) { group in
            for _ in 0..<20 { group.addTask { try await self.report(client, server, .http2Mutual) } }
            for try await report in group { #expect(report == first) }
        }
        #expect(delegate.identified.count == (source == .configuration ? 0 : 1))
    }

    @Test func `a certificate that a call's delegate showed is no other call's, even while that call runs`()
        async throws
    {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let delegate = TrustDelegate.showing(Self.identity(server))
        let (bytes, response) = try await client.bytes(for: server.get(.http2Optional, "/long"), delegate: delegate)
        #expect(response.httpVersion == .http2)
        #expect(delegate.identified.count == 1)
        let anonymous = try await self.report(client, server, .http2Optional)
        #expect((anonymous.verification, anonymous.client) == ("NONE", ""))
        // The connection without the certificate is trusted, so other calls without a certificate share it.
        #expect(try await self.report(client, server, .http2Optional) == anonymous)
        var count = 0
        for try await chunk in bytes.chunks { count += chunk.count }
        #expect(count == TrustServer.longByteCount)
        #expect(try await self.report(client, server, .http2Optional) == anonymous)
    }
}
