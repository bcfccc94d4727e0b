import Foundation
import Tern

struct Update: Decodable {
    var photo: Int
    var favourites: Int
}

@MainActor
final class FavouriteCounts {
    private(set) var counts: [Int: Int] = [:]

    func follow(_ client: Client) async throws {
        let request = Request(.get, "https://photos.example.com/photos/updates")
        let (bytes, _) = try await client.bytes(for: request)
        print(bytes.length ?? 0)
    }
}
