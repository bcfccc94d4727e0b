import Foundation
import Tern

struct Comment: Codable {
    var author: String
    var text: String
}

func talk(_ client: Client) async throws {
    let request = Request(.get, "wss://photos.example.com/photos/1/live")
    let socket = try await client.webSocket(for: request, options: WebSocketOptions(subprotocols: ["comments"]))
    let comment = Comment(author: "Ann", text: "What a good boy!")
    try await socket.send(String(decoding: JSONEncoder().encode(comment), as: UTF8.self))
    for try await message in socket {
        guard case .text(let text) = message else { continue }
        let comment = try JSONDecoder().decode(Comment.self, from: Data(text.utf8))
        print("\(comment.author): \(comment.text)")
    }
    print("closed:", socket.closeReason ?? "without a reason")
}
