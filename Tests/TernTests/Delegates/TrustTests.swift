// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Delegates: trust", .hangLimit)
struct TrustTests {
    private static let request = Request(.get, "https://test/")

    private func connector(
        _ evaluation: TLSFailure?,
        answer: @escaping ScriptedServer.Answer = { _ in .response(body: "hello") }
    ) -> MemoryConnector {
        MemoryConnector.tested(
            trust: { ServerTrust(host: $0, chain: [[1, 2, 3]], evaluation: evaluation) },
            answer: answer
        )
    }

    /// Returns a delegate that approves every server.
    private func approving(_ asked: Flag = Flag()) -> AnsweringDelegate {
        AnsweringDelegate(challenged: { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return nil }
            #expect(challenge.protectionSpace.origin == Origin(scheme: .https, host: "test", port: 443))
            asked.raise()
            await Task.yield()
            return .useCredential(Credential(trust: trust))
        })
    }

    private func fault(_ client: Client, _ delegate: (any TaskDelegate)? = nil) async -> TLSFailure? {
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: Self.request, delegate: delegate)
        }
        guard case .tlsFailed(let reason, let context)? = error else { return nil }
        #expect(context.phase == .tls)
        return reason
    }

    @Test func `what one call approved of is no other call's`() async throws {
        let connector = self.connector(.selfSigned)
        let client = Client(configuration: .patient.tested, connector: connector)
        let asked = Flag()
        let (data, response) = try await client.data(for: Self.request, delegate: self.approving(asked))
        #expect(data == Data("hello".utf8))
        #expect(response.tls?.trust.evaluation == .selfSigned)
        try await connector.waitForOpen(0)
        #expect(await self.fault(client) == .selfSigned)
        #expect(await self.fault(client, RecordingDelegate()) == .selfSigned)
        #expect(asked.count == 1)
        #expect(connector.attemptCount == 3)
    }

    @Test func `what the client's delegate approves of serves all its calls`() async throws {
        let connector = self.connector(.selfSigned)
        let asked = Flag()
        let client = Client(configuration: .patient.tested, delegate: self.approving(asked), connector: connector)
        _ = try await client.data(for: Self.request)
        _ = try await client.data(for: Self.request, delegate: RecordingDelegate())
        #expect(asked.count == 1)
        #expect(connector.attemptCount == 1)
    }

    @Test func `a call's delegate may refuse a server that is trusted, on an open connection too`() async throws {
        let connector = self.connector(nil)
        let client = Client(configuration: .patient.tested, connector: connector)
        let refusing = AnsweringDelegate(challenged: { _ in .cancel })
        #expect(await self.fault(client, refusing) == .rejected)
        _ = try await client.data(for: Self.request)
        #expect(await self.fault(client, refusing) == .rejected)
        _ = try await client.data(for: Self.request)
        #expect(connector.attemptCount == 2)
    }

    @Test func `approval of a server that is trusted anyway changes nothing`() async throws {
        let connector = self.connector(nil)
        let client = Client(configuration: .patient.tested, connector: connector)
        _ = try await client.data(for: Self.request, delegate: self.approving())
        _ = try await client.data(for: Self.request)
        #expect(connector.attemptCount == 1)
    }

    @Test func `one call is asked once about a server, however many connections it needs`() async throws {
        let connector = self.connector(.certificateExpired()) { request in
            request.fields[.authorization] == nil
                ? .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"]) : .response(body: "hello")
        }
        let asked = Flag()
        let delegate = AnsweringDelegate(challenged: { challenge in
            switch challenge.kind {
            case .serverTrust(let trust):
                asked.raise()
                return .useCredential(Credential(trust: trust))
            default:
                return .useCredential(Credential(user: "albert", password: "einstein"))
            }
        })
        let (_, response) = try await Client(configuration: .patient.tested, connector: connector).data(
            for: Self.request,
            delegate: delegate
        )
        #expect(response.isSuccess)
        #expect(asked.count == 1)
        #expect(connector.attemptCount == 2)
    }

    @Test func `approval of other certificates than were shown is none`() async throws {
        let client = Client(configuration: .patient.tested, connector: self.connector(.wrongHost()))
        let delegate = AnsweringDelegate(challenged: { _ in
            .useCredential(Credential(trust: ServerTrust(host: "test", chain: [[4, 5, 6]])))
        })
        #expect(await self.fault(client, delegate) == .wrongHost())
    }
}
