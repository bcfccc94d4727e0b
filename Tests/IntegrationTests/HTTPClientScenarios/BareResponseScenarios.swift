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
    private func fault(_ name: String) async throws -> Fault? {
        let server = try await ScenarioServer()
        return await ClientTestSupport.fault { () async throws(ClientError) in
            try await server.client.data(for: server.get(name))
        }
    }

    @Test func `what is no HTTP is refused`() async throws {
        #expect(try await self.fault("no-http") == .protocolViolation("RFC 9112 §4"))
    }

    @Test func `the name of the protocol is in capitals`() async throws {
        #expect(try await self.fault("lower-case") == .protocolViolation("RFC 9112 §4"))
    }

    @Test func `a status line may lack its reason`() async throws {
        let server = try await ScenarioServer()
        let (bytes, response) = try await server.client.bytes(for: server.get("no-reason"))
        #expect(response.status == .ok)
        withExtendedLifetime(bytes) {}
    }

    @Test(arguments: [("204", 204), ("304", 304)])
    func `a status without content has none, whatever its length says`(name: String, status: Int) async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.get(name))
        #expect(response.statusCode == status)
        #expect(text.isEmpty)
    }

    @Test func `a body that is shorter than announced is an error`() async throws {
        #expect(try await self.fault("incomplete") == .truncated(received: 4, expected: 1000))
    }

    @Test func `without a length the body ends with the connection`() async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.get("no-length"))
        #expect(response.status == .ok)
        #expect(text == "1234")
    }

    @Test func `two lengths that differ are refused`() async throws {
        #expect(try await self.fault("two-lengths") == .protocolViolation("RFC 9112 §6.3"))
    }
}
