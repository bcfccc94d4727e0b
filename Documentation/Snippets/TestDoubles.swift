// SPDX-License-Identifier: Apache-2.0
// The code in the article on tests. scripts/check-snippets fails if the two copies
// differ.
import Foundation
import Tern
import TernTesting

// snippet.testing-service
struct PhotoService {
    struct Photo: Decodable { var title: String }

    let client: Client

    func title(of id: Int) async throws(ClientError) -> String {
        let request = Request(.get, "http://photos.example/photos").pathSegment(id)
        return try await self.client.value(for: request, as: Photo.self).title
    }
}
// snippet.end

func expect(_ isTrue: Bool) { precondition(isTrue) }

func answers() async throws {
    // snippet.testing-answer
    let server = ScriptedServer { request in
        request.target == "/photos/1"
            ? .response(fields: [.contentType: "application/json"], body: #"{"title":"Biscuit"}"#)
            : .response(.notFound)
    }
    let service = PhotoService(client: Client(connector: MemoryConnector(server)))
    expect(try await service.title(of: 1) == "Biscuit")
    expect(server.requests.map(\.target) == ["/photos/1"])
    // snippet.end
}

func faults() async throws {
    // snippet.testing-fault
    let connector = MemoryConnector { _ in .response(body: #"{"title":"Biscuit"}"#) }
    connector.plan(.refuse(.notConnected(.refused)), .accept(toClient: [.cut(afterBodyByteCount: 5)]))
    let service = PhotoService(client: Client(connector: connector))
    for _ in 1...2 {
        do {
            _ = try await service.title(of: 1)
            expect(false)
        } catch {
            expect(error.isConnectivity)
        }
    }
    expect(try await service.title(of: 1) == "Biscuit")  // the third connection has nothing planned
    // snippet.end
}

func time() async throws {
    // snippet.testing-time
    let clock = ManualClock()
    let connector = MemoryConnector(clock: clock) { _ in .stall }
    let service = PhotoService(client: Client(connector: connector, clock: clock))
    async let title = service.title(of: 1)
    try await clock.waitForScheduled(in: .seconds(60))  // Timeouts.firstByte
    clock.advance(by: .seconds(60))
    do {
        _ = try await title
        expect(false)
    } catch {
        expect((error as? ClientError)?.isTimeout == true)
    }
    // snippet.end
}

func retries() async throws {
    // snippet.testing-retry
    let clock = ManualClock()
    let server = ScriptedServer(steps: [
        .respond(.response(.serviceUnavailable)), .respond(.response(body: #"{"title":"Biscuit"}"#)),
    ])
    var configuration = Client.Configuration()
    configuration.retry = RetryPolicy()
    let connector = MemoryConnector(server, clock: clock)
    let service = PhotoService(client: Client(configuration: configuration, connector: connector, clock: clock))
    async let title = service.title(of: 1)
    try await clock.waitForScheduled(within: .milliseconds(500))  // Backoff.initialDelay is the bound
    clock.advance(by: .milliseconds(500))
    expect(try await title == "Biscuit")
    expect(server.requests.count == 2)
    // snippet.end
}

func exactRetries() async throws {
    // snippet.testing-retry-exact
    var configuration = Client.Configuration()
    configuration.retry = RetryPolicy(backoff: Backoff(initialDelay: .seconds(1), jitter: .none))
    // snippet.end
    _ = configuration
}

func uploads() async throws {
    // snippet.testing-fault-upload
    let connector = MemoryConnector(plan: .accept(toServer: [.reset(afterBodyByteCount: 1000)])) { _ in .response() }
    let client = Client(connector: connector)
    let request = Request(.put, "http://photos.example/photos/1/image")
    do {
        _ = try await client.upload(for: request, from: Data(count: 1_000_000))
        expect(false)
    } catch {
        expect(error.isConnectivity)
    }
    // snippet.end
}

func limits() async throws {
    // snippet.testing-limit
    let clock = ManualClock()
    let connector = MemoryConnector(plan: .accept(toClient: [.stall(afterBodyByteCount: 5)]), clock: clock) { _ in
        .response(body: #"{"title":"Biscuit"}"#)
    }
    let client = Client(connector: connector, clock: clock)
    let request = Request(.get, "http://photos.example/photos/1").timeout(.seconds(5))
    async let data = client.data(for: request)
    try await clock.waitForScheduled(within: .seconds(5))  // the rest of the call's time
    clock.advance(by: .seconds(5))
    do {
        _ = try await data
        expect(false)
    } catch {
        guard case .timedOut(.call, limit: .seconds(5), _)? = error as? ClientError else { return expect(false) }
    }
    // snippet.end
}

func streams(image: Data) async throws {
    // snippet.testing-http2
    let server = ScriptedServer { _ in .response(body: "saved") }
    let connector = MemoryConnector(server, version: .http2)
    connector.plan(.accept(http2: [.goAway(beforeRequest: 2)]))
    let client = Client(connector: connector)
    let request = Request(.post, "https://photos.example/photos").body(data: image)
    for _ in 1...2 {
        let (_, response) = try await client.data(for: request)
        expect(response.httpVersion == .http2)
    }
    expect(server.requests.map(\.connection) == [1, 2])  // the second request was sent again
    try await connector.waitForOpenStreams(0)
    // snippet.end
}

func streamFaults() async throws {
    // snippet.testing-http2-fault
    let connector = MemoryConnector(version: .http2, plan: .accept(http2: [.reset(request: 1, code: 11)])) { _ in
        .response()
    }
    do {
        _ = try await Client(connector: connector).data(for: Request(.get, "https://photos.example/photos/1"))
        expect(false)
    } catch {
        guard case .connectionLost(.streamReset(code: 11), _) = error else { return expect(false) }
    }
    // snippet.end
}

// snippet.testing-stream-model
@MainActor
final class AnswerModel {
    private(set) var text = ""
    private(set) var isComplete = false
    private(set) var message: String?
    private let client: Client

    init(client: Client) { self.client = client }

    func ask(_ question: String) async {
        let request = Request(.post, "https://chat.example/answers").body(json: ["question": question])
        do {
            for try await event in try await self.client.events(for: request, until: .data("[DONE]")) {
                self.text += event.data
            }
            self.isComplete = true
        } catch {
            self.message = "The answer ended early. Try again."
        }
    }
}
// snippet.end

@MainActor
func tokens() async throws {
    // snippet.testing-stream
    let clock = ManualClock()
    let connector = MemoryConnector(clock: clock) { _ in
        .events([.event("Hel"), .pause(.seconds(15)), .event("lo"), .cut])
    }
    let model = AnswerModel(client: Client(connector: connector, clock: clock))
    let asking = Task { await model.ask("What do you say?") }
    while model.text != "Hel" { await Task.yield() }  // the model shows the first token
    try await clock.waitForScheduled(in: .seconds(15))  // the server pauses
    clock.advance(by: .seconds(15))
    await asking.value
    expect(model.text == "Hello")
    expect(!model.isComplete)  // [DONE] is missing
    expect(model.message == "The answer ended early. Try again.")
    try await connector.waitForOpen(0)
    // snippet.end
}

// snippet.testing-stream-feed
@MainActor
final class Feed {
    private(set) var messages: [String] = []
    private(set) var retryDelay: Duration?  // nil while the feed is connected
    private let client: Client

    init(client: Client) { self.client = client }

    func follow() async throws {
        let request = Request(.get, "https://chat.example/messages")
        for try await element in self.client.reconnectingEvents(for: request) {
            switch element {
            case .connected: self.retryDelay = nil
            case .event(let event): self.messages.append(event.data)
            case .disconnected(let disconnection, _): self.retryDelay = disconnection.retryDelay
            }
        }
    }
}
// snippet.end

@MainActor
func reconnections() async throws {
    // snippet.testing-stream-reconnect
    let clock = ManualClock()
    let server = ScriptedServer { request in
        request.fields["Last-Event-ID"] == nil
            ? .events([.retry(.seconds(3)), .event("one", id: "7")])
            : .events([.event("two", id: "8"), .stall])
    }
    let connector = MemoryConnector(server, version: .http2, clock: clock)
    let feed = Feed(client: Client(connector: connector, clock: clock))
    let following = Task { try await feed.follow() }
    while feed.retryDelay == nil { await Task.yield() }
    if let delay = feed.retryDelay {
        expect(delay >= .seconds(3))
        try await clock.waitForScheduled(in: delay)
        clock.advance(by: delay)
    }
    while feed.messages != ["one", "two"] { await Task.yield() }
    expect(feed.retryDelay == nil)
    expect(server.requests.map { $0.fields["Last-Event-ID"] } == [nil, "7"])
    following.cancel()
    try await connector.waitForOpenStreams(0)
    // snippet.end
}

@MainActor
func streamsAboveHTTP() async throws {
    // snippet.testing-stream-transport
    let transport = ScriptedTransport(.events([.event("Hel"), .event("lo"), .event("[DONE]")]))
    let model = AnswerModel(client: Client(transport: transport))
    await model.ask("What do you say?")
    expect(model.text == "Hello")
    expect(model.isComplete)
    // snippet.end
}

func stalls() async throws {
    // snippet.testing-stall
    let server = ScriptedServer(steps: [.receive, .respond(.response(body: #"{"title":"Biscuit"}"#))])
    let service = PhotoService(client: Client(connector: MemoryConnector(server)))
    do {
        _ = try await service.title(of: 1)
    } catch {
        // Step 2 of 2 on connection 1 waits for another request, but the previous one has no answer; use .send.
        print(error)
    }
    // snippet.end
}

func transports() async throws {
    // snippet.testing-transport
    let transport = ScriptedTransport(.response(.serviceUnavailable), .response(body: #"{"title":"Biscuit"}"#))
    let service = PhotoService(client: Client(transport: transport))
    do {
        _ = try await service.title(of: 1)
        expect(false)
    } catch {
        expect(error.status == .serviceUnavailable)
    }
    expect(try await service.title(of: 1) == "Biscuit")
    expect(transport.calls.count == 2)
    // snippet.end
}

struct Move: Codable {
    var from: String
    var to: String
}

func conversations() async throws {
    let url = URL(string: "ws://chess.example/game")
    guard let url else { return }
    // snippet.testing-websocket
    let connector = MemoryConnector(connection: { connection in
        let server = try await ServerWebSocket.accept(connection)
        guard let frame = try await server.receive() else { return }
        try await server.send(.text(frame.text))  // an echo
        try await server.sendClose(.serviceRestart)
        _ = try await server.receive()  // the answer to the close
    })
    let socket = try await Client(connector: connector).webSocket(from: url)
    try await socket.send(json: Move(from: "e2", to: "e4"))
    var moves: [Move] = []
    for try await message in socket { moves.append(try message.decoded()) }
    expect(moves.map(\.to) == ["e4"])
    expect(socket.closeCode == .serviceRestart)
    try await connector.waitForOpen(0)
    // snippet.end
}

try await answers()
try await faults()
try await uploads()
try await time()
try await limits()
try await retries()
try await exactRetries()
try await stalls()
try await streams(image: Data(count: 1000))
try await streamFaults()
try await transports()
try await tokens()
try await reconnections()
try await streamsAboveHTTP()
try await conversations()
