// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests that calls over HTTP/2, which share connections, never use one that only another call's delegate approved.
@Suite("Trust: shared connections over HTTP/2", .hangLimit)
struct HTTP2TrustTests {
    private static let untrusted = TrustServer.Entry.http2SelfSigned
    private static let trusted = TrustServer.Entry.http2Optional

    /// Makes a call over HTTP/2, and returns the number of its connection.
    private func connection(
        _ client: Client,
        _ server: TrustServer,
        _ delegate: (any TaskDelegate)? = nil,
        _ entry: TrustServer.Entry = untrusted
    ) async throws(ClientError) -> String {
        let (data, response) = try await client.data(for: server.get(entry), delegate: delegate)
        let report = TrustServer.Report(data)
        #expect(report.applicationProtocol == "h2")
        #expect(response.httpVersion == .http2)
        return report.connection
    }

    private func fault(
        _ client: Client,
        _ server: TrustServer,
        _ delegate: (any TaskDelegate)? = nil,
        _ entry: TrustServer.Entry = untrusted
    ) async -> Fault? {
        await ClientTestSupport.fault { () async throws(ClientError) in
            try await self.connection(client, server, delegate, entry)
        }
    }

    private func byteCount(_ bytes: ResponseBytes) async throws -> Int {
        var count = 0
        for try await chunk in bytes.chunks { count += chunk.count }
        return count
    }

    @Test func `approval for one call serves no other call, not even while that call runs`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let long = server.get(Self.untrusted, "/long")
        let (bytes, response) = try await client.bytes(for: long, delegate: TrustDelegate.approving)
        #expect(response.httpVersion == .http2)
        #expect(response.tls?.isForOneCall == true)
        for delegate in [nil, TrustDelegate()] {
            #expect(await self.fault(client, server, delegate) == .tlsFailed(.selfSigned))
        }
        // A second delegate that approves the server has not seen the connection of the first delegate.
        let delegate = TrustDelegate.approving
        let (_, other) = try await client.data(for: server.get(Self.untrusted), delegate: delegate)
        #expect(other.httpVersion == .http2)
        #expect(!other.isConnectionReused)
        #expect(delegate.asked.count == 1)
        #expect(try await self.byteCount(bytes) == TrustServer.longByteCount)
        #expect(await self.fault(client, server) == .tlsFailed(.selfSigned))
    }

    // The certificate is for `localhost` and 127.0.0.1, which have the same address.

    @Test func `approval for one call serves no call to another host, not even while that call runs`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let long = server.get(Self.untrusted, "/long")
        let (bytes, response) = try await client.bytes(for: long, delegate: TrustDelegate.approving)
        #expect(response.tls?.isForOneCall == true)
        let other = Request(.get, server.url(Self.untrusted, host: "127.0.0.1"))
        for delegate in [nil, TrustDelegate()] {
            let fault = await ClientTestSupport.fault { () async throws(ClientError) in
                try await client.data(for: other, delegate: delegate)
            }
            #expect(fault == .tlsFailed(.selfSigned))
        }
        let delegate = TrustDelegate.approving
        #expect(try await !client.data(for: other, delegate: delegate).1.isConnectionReused)
        #expect(delegate.trusts.map(\.host) == ["127.0.0.1"])
        #expect(try await self.byteCount(bytes) == TrustServer.longByteCount)
    }

    @Test func `approval for one host is none for another`() async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate.approving
        let client = server.makeClient(delegate: delegate)
        let first = try await self.connection(client, server)
        let (data, response) = try await client.data(for: Request(.get, server.url(Self.untrusted, host: "127.0.0.1")))
        #expect(TrustServer.Report(data).connection != first)
        #expect(!response.isConnectionReused)
        #expect(delegate.trusts.map(\.host) == ["localhost", "127.0.0.1"])
    }

    @Test(arguments: [1, 64])
    func `many calls at once`(_ limit: Int) async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient { $0.pool.maximumConnectionsPerHost = limit }
        let outcomes = await withTaskGroup(of: (Int, String?).self) { group in
            for number in 0..<24 {
                group.addTask {
                    // The delegates take turns: one that approves, one that does not decide, and none.
                    let delegate = [TrustDelegate.approving, TrustDelegate(), nil][number % 3]
                    return (number, try? await self.connection(client, server, delegate))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(Set(outcomes.keys) == Set((0..<24).filter { $0 % 3 == 0 }))
        #expect(Set(outcomes.values).count == 8)
    }

    @Test func `calls that wait for another call's handshake do not use its connection`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient { $0.pool.maximumConnectionsPerHost = 1 }
        let (asked, mayAnswer) = (Signal(), Signal())
        let delegate = TrustDelegate { trust in
            asked.report()
            await mayAnswer.wait()
            return .useCredential(Credential(trust: trust))
        }
        async let approved = self.connection(client, server, delegate)
        await asked.wait()
        let waiting = (0..<4).map { _ in Waiting() }
        let others = waiting.map { delegate in Task { await self.fault(client, server, delegate) } }
        for delegate in waiting { await delegate.waits.wait() }
        mayAnswer.report()
        #expect(try await !approved.isEmpty)
        for other in others { #expect(await other.value == .tlsFailed(.selfSigned)) }
    }

    @Test func `what the client's delegate approves of serves all its calls at once`() async throws {
        let server = try await TrustServer.shared
        let shared = TrustDelegate.approving
        let client = server.makeClient(delegate: shared)
        let first = try await self.connection(client, server)
        let connections = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let delegate = [TrustDelegate.approving, TrustDelegate(), nil][number % 3]
                    return try await self.connection(client, server, delegate)
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(connections == [first])
        #expect(shared.asked.count == 1)
    }

    @Test func `a call's delegate refuses a server to which other calls run`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let first = try await self.connection(client, server, nil, Self.trusted)
        let (bytes, response) = try await client.bytes(for: server.get(Self.trusted, "/long"))
        #expect(response.isConnectionReused)
        let refusing = TrustDelegate { _ in .cancel }
        #expect(await self.fault(client, server, refusing, Self.trusted) == .tlsFailed(.rejected))
        #expect(refusing.trusts.map(\.isTrusted) == [true])
        #expect(try await self.byteCount(bytes) == TrustServer.longByteCount)
        #expect(try await self.connection(client, server, TrustDelegate.approving, Self.trusted) == first)
    }
}

/// A delegate that makes no decision, and reports that its call waits for a connection.
private struct Waiting: TaskDelegate {
    let waits = Signal()

    func taskIsWaitingForConnection(_ task: TaskInfo) { self.waits.report() }
}
