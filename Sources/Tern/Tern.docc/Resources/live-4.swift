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

    func follow(_ client: Client) async throws {
        let request = Request(.get, "https://photos.example.com/photos/updates")
        let (bytes, response) = try await client.bytes(for: request)
        guard response.status == .ok else { throw WoofError.invalidServerResponse }
        for try await line in bytes.lines {
            let update = try JSONDecoder().decode(Update.self, from: Data(line.utf8))
            self.counts[update.photo] = update.favourites
        }
    }
}
