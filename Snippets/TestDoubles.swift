// SPDX-License-Identifier: Apache-2.0
// The code of the article on tests; scripts/check-snippets holds both against each other.
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
    connector.plan(.refuse(.notConnected(.refused)), .accept(toClient: [.cut(afterByteCount: 50)]))
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
    await clock.waitForScheduled(in: .seconds(60))  // Timeouts.firstByte
    clock.advance(by: .seconds(60))
    do {
        _ = try await title
        expect(false)
    } catch {
        expect((error as? ClientError)?.isTimeout == true)
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

func conversations() async throws {
    let url = URL(string: "ws://chat.example/room")
    guard let url else { return }
    // snippet.testing-websocket
    let connector = MemoryConnector(connection: { connection in
        let server = try await ServerWebSocket.accept(connection)
        try await server.send(.text("hello"))
        try await server.sendClose(.serviceRestart)
        _ = try await server.receive()  // the answer to the close
    })
    let socket = try await Client(connector: connector).webSocket(from: url)
    var messages: [WebSocketMessage] = []
    for try await message in socket { messages.append(message) }
    expect(messages == [.text("hello")])
    expect(socket.closeCode == .serviceRestart)
    // snippet.end
}

try await answers()
try await faults()
try await time()
try await transports()
try await conversations()
