// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("The version of HTTP that servers in memory choose", .hangLimit)
struct HTTP2ChoiceTests {
    private static let url = "https://test/"

    @Test func `a client that uses HTTP/1.1 gets HTTP/1.1`() async throws {
        let server = ScriptedServer { .response(body: "\($0.connection)") }
        let connector = MemoryConnector(server, version: .http2)
        let client = Client(connector: connector)
        for request in [Request(.get, "http://test/"), Request(.get, Self.url).httpVersion(.http1)] {
            let (_, response) = try await client.data(for: request)
            #expect(response.httpVersion == .http11)
        }
        let (_, response) = try await client.data(for: Request(.get, "http://test/").httpVersion(.http2PriorKnowledge))
        #expect(response.httpVersion == .http2)
        #expect(server.requests.map(\.stream) == [nil, nil, 1])
        #expect(server.requests.map(\.connection) == [1, 2, 3])
    }

    @Test func `a server of HTTP/1.1 does not choose HTTP/2`() async throws {
        let client = Client(connector: MemoryConnector { _ in .response() })
        #expect(try await client.data(for: Request(.get, Self.url)).1.httpVersion == .http11)
    }

    @Test func `a server behind a proxy uses HTTP/1.1`() async throws {
        let server = ScriptedServer { request in
            request.method == .connect ? .raw("HTTP/1.1 200 OK\r\n\r\n") : .response(body: "fine")
        }
        var configuration = Client.Configuration()
        configuration.proxy = .proxy(try Proxy("http://proxy:3128"))
        let connector = MemoryConnector(server, version: .http2)
        let client = Client(configuration: configuration, connector: connector)
        let (text, response) = try await client.answer(to: Request(.get, Self.url))
        #expect((text, response.httpVersion) == ("fine", .http11))
        #expect(server.requests.map(\.method) == [.connect, .get])
    }
}
