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
    for try await message in socket {
        guard case .text(let text) = message else { continue }
        let json = Data(text.utf8)
        let comment = try JSONDecoder().decode(Comment.self, from: json)
        print("\(comment.author): \(comment.text)")
    }
}
