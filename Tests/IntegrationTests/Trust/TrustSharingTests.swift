// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests which calls share a connection: a call never uses a connection that only another call's delegate approved.
@Suite("Trust: shared connections", .hangLimit)
struct TrustSharingTests {
    private static let untrusted = TrustServer.Entry.row(.selfSigned)

    /// Makes a call, and returns the number of its connection.
    private func connection(
        _ client: Client,
        _ server: TrustServer,
        _ delegate: (any TaskDelegate)? = nil,
        _ entry: TrustServer.Entry = untrusted
    ) async throws(ClientError) -> String {
        TrustServer.Report(try await client.data(for: server.get(entry), delegate: delegate).0).connection
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

    @Test func `one call after another`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let first = try await self.connection(client, server, TrustDelegate.approving)
        #expect(await self.fault(client, server) == .tlsFailed(.selfSigned))
        #expect(await self.fault(client, server, TrustDelegate()) == .tlsFailed(.selfSigned))
        // A second delegate that approves the server has not seen the connection of the first delegate.
        let delegate = TrustDelegate.approving
        #expect(try await self.connection(client, server, delegate) != first)
        #expect(delegate.asked.count == 1)
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

    @Test func `a call that waits for a place gets a connection of its own`() async throws {
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
        let waiting = Waiting()
        async let other = self.fault(client, server, waiting)
        await waiting.waits.wait()
        mayAnswer.report()
        #expect(try await !approved.isEmpty)
        #expect(await other == .tlsFailed(.selfSigned))
    }

    @Test func `what the client's delegate approves of serves all its calls`() async throws {
        let server = try await TrustServer.shared
        let shared = TrustDelegate.approving
        let client = server.makeClient(delegate: shared)
        let first = try await self.connection(client, server)
        #expect(try await self.connection(client, server) == first)
        #expect(try await self.connection(client, server, TrustDelegate()) == first)
        #expect(try await self.connection(client, server, TrustDelegate.approving) == first)
        #expect(shared.asked.count == 1)
    }

    @Test(arguments: [ChallengeDisposition.cancel, .performDefaultHandling])
    func `a call's delegate objects to what the client's approved of`(_ answer: ChallengeDisposition) async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient(delegate: TrustDelegate.approving)
        let first = try await self.connection(client, server)
        let objecting = TrustDelegate { _ in answer }
        let expected: TLSFailure = if case .cancel = answer { .rejected } else { .selfSigned }
        #expect(await self.fault(client, server, objecting) == .tlsFailed(expected))
        #expect(objecting.asked.count == 1)
        // The other calls still use the connection.
        #expect(try await self.connection(client, server) == first)
    }

    @Test func `a call's delegate refuses a trusted server, on an open connection too`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let first = try await self.connection(client, server, nil, .row(.valid))
        let refusing = TrustDelegate { _ in .cancel }
        #expect(await self.fault(client, server, refusing, .row(.valid)) == .tlsFailed(.rejected))
        #expect(refusing.trusts.map(\.isTrusted) == [true])
        #expect(try await self.connection(client, server, TrustDelegate.approving, .row(.valid)) == first)
    }

    @Test func `approval of a trusted server makes no connection of its own`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let first = try await self.connection(client, server, TrustDelegate.approving, .row(.valid))
        #expect(try await self.connection(client, server, nil, .row(.valid)) == first)
    }

    @Test func `a certificate that a call's delegate showed is no other call's`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let identity = ClientIdentity.pemFiles(
            certificates: server.matrix.file("client.pem"),
            privateKey: server.matrix.file("client.key")
        )
        let delegate = TrustDelegate.showing(identity)
        let shown = TrustServer.Report(try await client.data(for: server.get(.optional), delegate: delegate).0)
        #expect(shown.verification == "SUCCESS")
        let (data, response) = try await client.data(for: server.get(.optional))
        #expect(TrustServer.Report(data).verification == "NONE")
        #expect(!response.isConnectionReused)
    }

    @Test func `a certificate that the client's delegate shows serves all its calls`() async throws {
        let server = try await TrustServer.shared
        let identity = ClientIdentity.pemFiles(
            certificates: server.matrix.file("client.pem"),
            privateKey: server.matrix.file("client.key")
        )
        let shared = TrustDelegate.showing(identity)
        let client = server.makeClient(delegate: shared)
        let first = try await self.connection(client, server, nil, .mutual)
        #expect(try await self.connection(client, server, TrustDelegate(), .mutual) == first)
        #expect(shared.identified.count == 1)
    }
}

/// A delegate that makes no decision, and reports that its call waits for a connection.
private struct Waiting: TaskDelegate {
    let waits = Signal()

    func taskIsWaitingForConnection(_ task: TaskInfo) { self.waits.report() }
}
