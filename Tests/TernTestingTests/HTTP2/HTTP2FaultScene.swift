// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernFoundation
import TernTesting

/// A client that uses HTTP/2, and a scripted server whose connections have planned faults.
struct HTTP2FaultScene: Sendable {
    let clock = ManualClock()
    let server: ScriptedServer
    let connector: MemoryConnector
    let client: Client

    /// Creates a scene.
    ///
    /// - Parameters:
    ///   - faults: The faults of the first connection, of the second and so on. Later connections have none.
    ///   - configuration: The configuration of the client, which then uses HTTP/2 without TLS.
    ///   - answer: Answers the requests. By default, the body is the numbers of the connection and of the stream.
    init(
        _ faults: [HTTP2Fault]...,
        configuration: Client.Configuration = Client.Configuration(),
        answer: @escaping ScriptedServer.Answer = { .response(body: "\($0.connection)/\($0.stream ?? 0)") }
    ) {
        self.server = ScriptedServer(answer)
        self.connector = MemoryConnector(self.server, version: .http2, clock: self.clock)
        for faults in faults { self.connector.plan(.accept(http2: faults)) }
        var configuration = configuration
        configuration.httpVersion = .http2PriorKnowledge
        self.client = Client(configuration: configuration, connector: self.connector, clock: self.clock)
    }

    /// Sends a request, and returns the body of the response.
    func text(_ request: Request = Request(url: testURL)) async throws(ClientError) -> String {
        try await self.client.string(for: request)
    }

    /// The connections on which the server has received requests, in their order.
    var connections: [Int] { self.server.requests.map(\.connection) }
}

extension Client {
    /// Sends a request, and returns the body of the response as text, and the response.
    func answer(to request: Request) async throws(ClientError) -> (text: String, response: Response) {
        let (data, response) = try await self.data(for: request)
        return (String(decoding: data, as: UTF8.self), response)
    }
}
