// SPDX-License-Identifier: Apache-2.0
// The code in the comments of TernPublishers, TernTesting and TernWebSocket.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern
import TernPublishers
import TernTesting

struct User: Decodable { var name: String }
final class Bar { var fraction: Double? }

func show<Content>(_ content: Content) { print(content) }
func showOnline() { print("online") }
func showOffline(_ disconnection: WebSocketDisconnection, _ attempt: Int) { print("offline") }

func looping(over timer: PassthroughSubject<Int, Never>) async {
    // snippet.comment-async-stream
    let stream = timer.asyncStream()
    for await tick in stream { print(tick) }
    // snippet.end
}

func publishing(_ client: Client, _ url: URL) {
    // snippet.comment-call-publisher
    let cancellable = client.dataPublisher(from: url)
        .tryMap { try JSONDecoder().decode(User.self, from: $0.data) }
        .sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
    // snippet.end
    _ = cancellable
}

func progress(_ client: Client, _ url: URL, _ bar: Bar) {
    // snippet.comment-with-progress
    let cancellable = client.downloadPublisher(from: url).withProgress()
        .sink(receiveCompletion: { print($0) }) { event in
            switch event {
            case .sent: break
            case .received(let progress): bar.fraction = progress.fractionCompleted
            case .value(let download): show(download.url)
            }
        }
    // snippet.end
    _ = cancellable
}

func chatting(_ client: Client, _ url: URL, _ cancellables: inout Set<AnyCancellable>) {
    // snippet.comment-websocket-publisher
    let chat = client.webSocketPublisher(from: url)
    chat.sink(receiveCompletion: { print($0) }) { message in show(message) }
        .store(in: &cancellables)
    chat.send("hello")
    // snippet.end
}

func time(_ url: URL) async throws {
    // snippet.comment-manual-clock
    let clock = ManualClock()
    let connector = MemoryConnector(clock: clock) { _ in .stall }
    let client = Client(connector: connector, clock: clock)
    async let reply = client.data(from: url)
    try await clock.waitForScheduled(in: .seconds(60))  // the client waits now
    clock.advance(by: .seconds(60))
    // snippet.end
    _ = try await reply
}

func adversity() {
    // snippet.comment-adversity
    let connector = MemoryConnector(
        plan: .accept(toClient: [
            .drip(bytesPerPiece: 1),
            .reset(afterBodyByteCount: 3),
        ])
    ) { _ in
        .response(body: "hello")
    }
    // snippet.end
    _ = connector
}

func streams() -> MemoryConnector {
    // snippet.comment-http2-fault
    let connector = MemoryConnector(version: .http2) { _ in .response(body: "hello") }
    connector.plan(.accept(http2: [.refusal(ofRequest: 1), .goAway(beforeRequest: 3)]))
    // snippet.end
    return connector
}

func memory() {
    // snippet.comment-memory-connector
    let connector = MemoryConnector { request in
        .response(body: "You asked for \(request.target)")
    }
    let client = Client(connector: connector)
    // snippet.end
    _ = client
}

func script() {
    // snippet.comment-scripted-server
    let server = ScriptedServer(steps: [
        .respond(.response(body: "one")),
        .respond(.close),
    ])
    let client = Client(connector: MemoryConnector(server))
    // snippet.end
    _ = client
}

func steps(_ clock: ManualClock) {
    // snippet.comment-body-step
    let connector = MemoryConnector(clock: clock) { _ in
        .events([.event("Hel"), .pause(.seconds(15)), .event("lo"), .cut])
    }
    // snippet.end
    _ = connector
}

func transport() {
    // snippet.comment-scripted-transport
    let transport = ScriptedTransport(
        .response(.unauthorized),
        .response(body: "welcome")
    )
    let client = Client(transport: transport)
    // snippet.end
    _ = client
}

func echoing(_ url: URL) async throws {
    // snippet.comment-server-websocket
    let connector = MemoryConnector(connection: { connection in
        let socket = try await ServerWebSocket.accept(connection)
        while let frame = try await socket.receive(), frame.opcode != .close {
            try await socket.send(frame.opcode, payload: frame.payload)  // an echo
        }
        try await socket.send(.close)
    })
    let socket = try await Client(connector: connector).webSocket(from: url)
    // snippet.end
    _ = socket
}

func reconnecting(_ client: Client, _ url: URL) async throws {
    // snippet.comment-reconnecting
    let events = client.reconnectingWebSocket(from: url) { socket throws(ClientError) in
        try await socket.send("subscribe")
    }
    for try await event in events {
        switch event {
        case .connected, .reconnected: showOnline()
        case .message(let message): show(message)
        case .disconnected(let disconnection, let attempt):
            showOffline(disconnection, attempt)
        }
    }
    // snippet.end
}

func messages(_ client: Client, _ url: URL) async throws {
    // snippet.comment-websocket
    let socket = try await client.webSocket(from: url)
    try await socket.send("hello")
    for try await message in socket {
        if case .text(let text) = message { print(text) }
    }
    // snippet.end
}
