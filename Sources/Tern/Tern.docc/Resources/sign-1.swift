import Foundation
import Tern

enum WoofError: Error {
    case notSignedIn
}

func favourite(_ id: Int, by client: Client) async throws {
    let request = Request(.put, "https://photos.example.com")
        .path("photos")
        .pathSegment(id)
        .path("favorite")
    let (_, response) = try await client.data(for: request)
    guard response.status != .unauthorized else { throw WoofError.notSignedIn }
}
