// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests that the client uses only the protocol that the server chose.
///
/// The choice "SHALL be definitive for the connection" (RFC 7301 §3.2).
@Suite("RFC 7301: what the server chose by ALPN", .hangLimit)
struct ProtocolChoiceTests {
    private let clock = ManualClock()
    private let server = ScriptedServer { _ in .response(body: "fine") }
    private var versions = HTTPVersionPolicy.http1

    private func error(_ chosen: String?, through proxy: Proxy? = nil) async throws -> ClientError? {
        let connector = SteeredConnector(MemoryConnector(self.server, clock: self.clock), applicationProtocol: chosen)
        let configuration = HTTPTransportConfiguration(
            router: Router(proxy.map { .proxy($0) } ?? .direct),
            versions: self.versions
        )
        let transport = HTTPTransport(configuration, connector: connector, clock: self.clock)
        let request = Request(.get, proxy == nil ? "https://test/" : "http://test/")
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: self.clock)
        defer { #expect(connector.base.openCount == transport.connectionCounts.idle) }
        do throws(ClientError) {
            _ = try await transport.respond(to: call).body.text()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["h2", "h3", "spdy/3", ""])
    func `a protocol that is not spoken is named, and nothing is sent`(_ chosen: String) async throws {
        guard case .tlsFailed(.unsupportedProtocol(chosen), let context)? = try await self.error(chosen) else {
            Issue.record("no error names the protocol")
            return
        }
        #expect(context.phase == .tls)
        #expect(self.server.requests.isEmpty)
    }

    @Test(arguments: ["h3", ""])
    mutating func `a protocol that was not offered is refused by default, too`(_ chosen: String) async throws {
        self.versions = .automatic
        #expect(try await self.error(chosen)?.fault == .tlsFailed(.unsupportedProtocol(chosen)))
        #expect(self.server.requests.isEmpty)
    }

    @Test(arguments: ["http/1.1", "http/1.0", nil])
    func `HTTP/1 is spoken, also where the server chose nothing`(_ chosen: String?) async throws {
        #expect(try await self.error(chosen) == nil)
        #expect(self.server.requests.count == 1)
    }

    @Test func `so it is with a proxy that speaks TLS`() async throws {
        let proxy = Proxy(.https, host: "proxy", port: 3128)
        let error = try await self.error("h2", through: proxy)
        guard case .tlsFailed(.unsupportedProtocol("h2"), let context)? = error else {
            Issue.record("no error names the protocol")
            return
        }
        #expect(context.phase == .proxy)
        #expect(self.server.requests.isEmpty)
    }
}
