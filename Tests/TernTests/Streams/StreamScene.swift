// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// A client, and a server that sends its responses piece by piece.
struct StreamScene: Sendable {
    /// Answers one request, and returns whether the connection is open for another one.
    typealias Answer = @Sendable (ServerConnection, ReceivedRequest) async throws -> Bool

    let clock = ManualClock()
    let connector: MemoryConnector
    let client: Client

    private let log = Journal<ReceivedRequest>()

    /// The requests that the server has received.
    var requests: [ReceivedRequest] { self.log.all }

    /// Creates a scene whose server reads each request completely before it answers.
    init(
        plan: ConnectionPlan = .accept(),
        capacity: Int = 64 << 10,
        _ configuration: Client.Configuration = Client.Configuration(),
        delegate: (any TaskDelegate)? = nil,
        answer: @escaping Answer
    ) {
        self.connector = .tested(plan: plan, clock: self.clock, capacity: capacity) { [log] connection in
            while let request = try await connection.readRequest() {
                log.note(request)
                guard try await answer(connection, request) else { return }
            }
        }
        self.client = Client(
            configuration: configuration.tested,
            delegate: delegate,
            connector: self.connector,
            clock: self.clock
        )
    }

    /// Creates a scene whose server answers each request with a scripted response.
    init(
        plan: ConnectionPlan = .accept(),
        _ configuration: Client.Configuration = Client.Configuration(),
        delegate: (any TaskDelegate)? = nil,
        response: @escaping @Sendable (ReceivedRequest) -> ScriptedResponse
    ) {
        self.init(plan: plan, configuration, delegate: delegate) { connection, request in
            try await connection.send(response(request), to: request.method)
        }
    }

    /// Waits until the server has received a number of requests.
    func waitForRequests(_ count: Int) async { _ = await self.log.wait(for: count) }

    /// Waits until no exchange goes on.
    ///
    /// Over HTTP/1.1, the connection of an exchange that ends early is closed. Over HTTP/2, only its stream is reset.
    func waitForNoExchange() async throws {
        if TestedVersion.isHTTP2 { return try await self.connector.waitForOpenStreams(0) }
        try await self.connector.waitForOpen(0)
    }

    /// Checks that one exchange goes on, which holds its connection.
    func expectExchange(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.connector.openCount == 1, sourceLocation: sourceLocation)
        if TestedVersion.isHTTP2 { #expect(self.connector.openStreamCount == 1, sourceLocation: sourceLocation) }
    }
}

extension ServerConnection {
    /// Sends the head of a response whose body follows in chunks.
    func begin(_ type: String = "text/event-stream") async throws {
        try await self.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
    }

    /// Sends one chunk of the body.
    func chunk(_ text: String) async throws {
        try await self.write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    /// Sends the end of the body.
    func end() async throws { try await self.write("0\r\n\r\n") }
}

extension ScriptedResponse {
    /// Returns a whole response with server-sent events.
    static func events(_ text: String, ending: Ending = .keepOpen) -> ScriptedResponse {
        .response(fields: [.contentType: "text/event-stream"], body: text, ending: ending)
    }

    /// Returns a response that begins with server-sent events, and does not end.
    static func openEvents(_ text: String, ending: Ending = .stall) -> ScriptedResponse {
        .raw("\(Self.openHead)\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n", ending: ending)
    }

    /// The head of a response with server-sent events in chunks.
    static let openHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
}

/// Reads a sequence to its end, and returns the elements with the error that ended it, if any.
func collected<Values: AsyncSequence>(
    _ values: Values
) async -> (values: [Values.Element], error: ClientError?) where Values.Failure == ClientError {
    var all: [Values.Element] = []
    do throws(ClientError) {
        for try await value in values { all.append(value) }
        return (all, nil)
    } catch {
        return (all, error)
    }
}

extension ClientError {
    /// Whether a response or a stream ended early.
    var isTruncated: Bool {
        if case .truncated = self { true } else { false }
    }
}

extension [ServerSentEvent] {
    /// The data of each event.
    var data: [String] { self.map(\.data) }
}

extension ReceivedRequest {
    /// The ID of the last event that the client has received; `nil` without the field.
    var lastEventID: String? { HTTPField.Name("Last-Event-ID").flatMap { self.fields[$0] } }
}
