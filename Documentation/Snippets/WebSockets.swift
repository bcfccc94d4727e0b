// SPDX-License-Identifier: Apache-2.0
// The code in the articles on WebSockets. scripts/check snippets fails if the two
// copies differ.
import Foundation
import Tern

func websocketLoop(client: Client, url: URL, show: (String) -> Void) async throws {
    // snippet.websocket-loop
    let socket = try await client.webSocket(from: url)
    for try await message in socket {
        if case .text(let text) = message { show(text) }
    }
    // snippet.end
    _ = socket
}

func websocketEnding(
    socket: WebSocket,
    show: (WebSocketMessage) -> Void,
    reconnectSoon: () -> Void,
    log: (String) -> Void
) async throws {
    // snippet.websocket-ending
    do {
        for try await message in socket { show(message) }
        if socket.closeCode == .serviceRestart { reconnectSoon() }
    } catch {
        switch error {  // a ClientError
        case .cancelled: break
        case .protocolViolation(let section, let why, _): log("\(section): \(why)")
        default: if error.isConnectivity { reconnectSoon() }
        }
    }
    // snippet.end
}

func websocketTask(client: Client, url: URL, show: @escaping @Sendable (WebSocketMessage) -> Void) async throws {
    // snippet.websocket-task
    let updates = Task {
        let socket = try await client.webSocket(from: url)
        for try await message in socket { show(message) }
    }
    updates.cancel()  // ends the loop, releases the socket, closes the connection
    // snippet.end
}

func websocketLogin(socket: WebSocket, token: String, show: (WebSocketMessage) -> Void) async throws {
    // snippet.websocket-login
    try await socket.send("login \(token)")
    for try await case .text("welcome") in socket { break }
    for try await message in socket { show(message) }
    // snippet.end
}

func websocketAgreed(client: Client, url: URL) async throws {
    // snippet.websocket-agreed
    let socket = try await client.webSocket(from: url)
    print(socket.isCompressed)  // whether the server agreed
    // snippet.end
    _ = socket
}

func websocketChoice(socket: WebSocket, jpeg: Data, log: String) async throws {
    // snippet.websocket-choice
    try await socket.send(.binary(jpeg), compression: .never)
    try await socket.send(log, compression: .always)
    // snippet.end
}

func websocketDisabled(client: Client, url: URL) async throws {
    // snippet.websocket-disabled
    let options = WebSocketOptions(compression: .disabled)
    let socket = try await client.webSocket(from: url, options: options)
    // snippet.end
    _ = socket
}

func websocketSmall(client: Client, url: URL) async throws {
    // snippet.websocket-small
    let small = WebSocketCompression(windowBits: 12, memoryLevel: 4)
    let options = WebSocketOptions(compression: small)
    let socket = try await client.webSocket(from: url, options: options)
    // snippet.end
    _ = small
    _ = socket
}

func websocketOffer() async throws {
    // snippet.websocket-offer
    let compression = WebSocketCompression(serverWindowBits: 12)
    // snippet.end
    _ = compression
}
