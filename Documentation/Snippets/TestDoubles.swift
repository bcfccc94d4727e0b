// SPDX-License-Identifier: Apache-2.0
// The code in the articles on tests. scripts/check snippets fails if the two copies
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
    let fields: HTTPFields = [.contentType: "application/json"]
    let server = ScriptedServer { request in
        request.target == "/photos/1"
            ? .response(fields: fields, body: #"{"title":"Biscuit"}"#)
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
    connector.plan(.refuse(.notConnected(.refused)))
    connector.plan(.accept(toClient: [.cut(afterBodyByteCount: 5)]))
    let service = PhotoService(client: Client(connector: connector))
    for _ in 1...2 {
        do {
            _ = try await service.title(of: 1)
            expect(false)
        } catch {
            expect(error.isConnectivity)
        }
    }
    expect(try await service.title(of: 1) == "Biscuit")  // the third has no plan
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
        .respond(.response(.serviceUnavailable)),
        .respond(.response(body: #"{"title":"Biscuit"}"#)),
    ])
    var configuration = Client.Configuration()
    configuration.retry = RetryPolicy()
    let memory = MemoryConnector(server, clock: clock)
    let client = Client(configuration: configuration, connector: memory, clock: clock)
    let service = PhotoService(client: client)
    async let title = service.title(of: 1)
    try await clock.waitForScheduled(within: .seconds(0.5))  // Backoff.initialDelay
    clock.advance(by: .seconds(0.5))
    expect(try await title == "Biscuit")
    expect(server.requests.count == 2)
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
    expect(server.requests.map(\.connection) == [1, 2])  // the second was sent again
    try await connector.waitForOpenStreams(0)
    // snippet.end
}

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

func transports() async throws {
    // snippet.testing-transport
    let transport = ScriptedTransport(
        .response(.serviceUnavailable),
        .response(body: #"{"title":"Biscuit"}"#)
    )
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
try await time()
try await retries()
try await streams(image: Data(count: 1000))
try await transports()
try await tokens()
try await conversations()
