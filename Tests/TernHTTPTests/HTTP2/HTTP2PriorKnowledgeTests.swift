// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests calls whose servers are known to use HTTP/2 (RFC 9113 §3.3).
@Suite("HTTP/2: prior knowledge", .hangLimit)
struct HTTP2PriorKnowledgeTests {
    /// Sends a request to a server that answers over HTTP/2, and that chooses a protocol if the client starts TLS.
    private func answer(_ url: String, chosen: String?) async throws -> (fault: Fault?, text: String?) {
        let clock = ManualClock()
        let base = MemoryConnector(clock: clock) { connection in
            let peer = HTTP2Peer(connection)
            try await peer.handshake()  // fails unless the client's first bytes are the preface
            try await peer.serve { request in try await peer.respond(to: request, "fine") }
        }
        let connector = SteeredConnector(base, applicationProtocol: chosen)
        let transport = HTTPTransport(.priorKnowledge, connector: connector, clock: clock)
        let request = Request(.get, url)
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        do throws(ClientError) {
            let reply = try await transport.respond(to: call)
            #expect(reply.response.httpVersion == .http2)
            return (nil, try await reply.body.text())
        } catch {
            return (error.fault, nil)
        }
    }

    @Test func `without TLS, the client begins with the preface`() async throws {
        #expect(try await self.answer("http://test/", chosen: nil).text == "fine")
    }

    @Test func `over TLS, HTTP/2 is used if the server chooses it`() async throws {
        #expect(try await self.answer("https://test/", chosen: "h2").text == "fine")
    }

    @Test func `over TLS, a server that chooses no protocol is refused`() async throws {
        #expect(try await self.answer("https://test/", chosen: nil).fault == .tlsFailed(.noCommonProtocol))
    }

    @Test(arguments: ["http/1.1", "h3"])
    func `over TLS, a server that chooses another protocol is refused`(_ chosen: String) async throws {
        #expect(
            try await self.answer("https://test/", chosen: chosen).fault == .tlsFailed(.unsupportedProtocol(chosen))
        )
    }
}
