import Foundation
import Tern

enum WoofError: Error {
    case invalidServerResponse
    case unsupportedImage
}

/// A picture decoded from bytes, like `UIImage`; creating it fails if the bytes are
/// not a picture.
struct Picture {
    let data: Data

    init?(_ data: Data) {
        guard data.starts(with: [0xFF, 0xD8]) else { return nil }  // JPEG
        self.data = data
    }
}

struct PhotoMetadata: Codable {
    var id: Int
    var title: String
    var favourites: Int
}

struct PhotoService {
    let client = Client()
    let address = "https://photos.example.com"

    func fetchPhoto(_ id: Int) async throws -> Picture {
        let request = Request(.get, self.address)
            .path("photos")
            .pathSegment(id)
            .path("image")
        let (data, response) = try await self.client.data(for: request)
        guard response.status == .ok else { throw WoofError.invalidServerResponse }
        guard let picture = Picture(data) else { throw WoofError.unsupportedImage }
        return picture
    }

    func fetchMetadata(_ id: Int) async throws(ClientError) -> PhotoMetadata {
        let request = Request(.get, self.address).path("photos").pathSegment(id)
        return try await self.client.value(for: request)
    }
}
