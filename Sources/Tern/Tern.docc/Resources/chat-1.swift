import Foundation
import Tern

struct Comment: Codable {
    var author: String
    var text: String
}

func talk(_ client: Client) async throws {
    let request = Request(.get, "wss://photos.example.com/photos/1/live")
    let options = WebSocketOptions(subprotocols: ["comments"])
    let socket = try await client.webSocket(for: request, options: options)
    print(socket.subprotocol ?? "none")
}
