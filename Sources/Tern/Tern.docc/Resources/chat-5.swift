import Foundation
import Tern

struct Comment: Codable {
    var author: String
    var text: String
}

func talk(_ client: Client) async throws {
    let request = Request(.get, "wss://photos.example.com/photos/1/live")
    let events = client.reconnectingWebSocket(for: request) {
        socket throws(ClientError) in
        try await socket.send(#"{"author":"Ann","text":"I am here"}"#)
    }
    for try await event in events {
        switch event {
        case .connected, .reconnected: print("online")
        case .message(.text(let text)):
            let json = Data(text.utf8)
            let comment = try JSONDecoder().decode(Comment.self, from: json)
            print("\(comment.author): \(comment.text)")
        case .message: break
        case .disconnected(let disconnection, _):
            print("offline, retry in \(disconnection.retryDelay, default: "-")")
        }
    }
}
