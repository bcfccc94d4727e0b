// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

/// Tests responses that are barely HTTP, or have little content.
@Suite("HTTP API scenarios: bare responses", .hangLimit)
struct BareResponseScenarios {
    private func fault(_ transport: TestedTransport, _ name: String) async throws -> Fault? {
        let server = try await ScenarioServer(transport)
        return await ClientTestSupport.fault { () async throws(ClientError) in
            try await server.client.data(for: server.get(name))
        }
    }

    @Test(arguments: TestedTransport.allCases)
    func `what is no HTTP is refused`(by transport: TestedTransport) async throws {
        #expect(try await self.fault(transport, "no-http") == .protocolViolation("RFC 9112 §4"))
    }

    @Test(arguments: TestedTransport.allCases)
    func `the name of the protocol is in capitals`(by transport: TestedTransport) async throws {
        #expect(try await self.fault(transport, "lower-case") == .protocolViolation("RFC 9112 §4"))
    }

    @Test(arguments: TestedTransport.allCases)
    func `a status line may lack its reason`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (bytes, response) = try await server.client.bytes(for: server.get("no-reason"))
        #expect(response.status == .ok)
        withExtendedLifetime(bytes) {}
    }

    @Test(arguments: TestedTransport.allCases, [204, 304])
    func `a status without content has none, whatever its length says`(
        by transport: TestedTransport,
        status: Int
    ) async throws {
        let server = try await ScenarioServer(transport)
        let (text, response) = try await server.text(server.get("\(status)"))
        #expect(response.statusCode == status)
        #expect(text.isEmpty)
    }

    @Test(arguments: TestedTransport.allCases)
    func `a body that is shorter than announced is an error`(by transport: TestedTransport) async throws {
        #expect(try await self.fault(transport, "incomplete") == .truncated(received: 4, expected: 1000))
    }

    @Test(arguments: TestedTransport.allCases)
    func `without a length the body ends with the connection`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (text, response) = try await server.text(server.get("no-length"))
        #expect(response.status == .ok)
        #expect(text == "1234")
    }

    @Test func `two lengths that differ are refused`() async throws {
        #expect(try await self.fault(.own, "two-lengths") == .protocolViolation("RFC 9112 §6.3"))
    }
}
