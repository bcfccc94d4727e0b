import Foundation
import Tern

enum WoofError: Error {
    case invalidServerResponse
}

struct Update: Decodable {
    var photo: Int
    var favourites: Int
}

@MainActor
final class FavouriteCounts {
    private(set) var counts: [Int: Int] = [:]
    private var updates: Task<Void, any Error>?

    func appear(_ client: Client) {
        self.updates = Task { try await self.follow(client) }
    }

    func disappear() {
        self.updates?.cancel()
    }

    func follow(_ client: Client) async throws {
        let request = Request(.get, "https://photos.example.com/photos/updates")
        let (bytes, response) = try await client.bytes(for: request)
        guard response.status == .ok else { throw WoofError.invalidServerResponse }
        for try await line in bytes.lines where !line.isEmpty {
            let data = Data(line.utf8)
            let update = try JSONDecoder().decode(Update.self, from: data)
            self.counts[update.photo] = update.favourites
        }
    }
}
