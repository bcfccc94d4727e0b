import Foundation
import Tern

enum WoofError: Error {
    case invalidServerResponse
}

struct PhotoService {
    let client = Client()
    let address = "https://photos.example.com"

    func fetchPhoto(_ id: Int) async throws -> Data {
        let request = Request(.get, self.address)
            .path("photos")
            .pathSegment(id)
            .path("image")
        let (data, response) = try await self.client.data(for: request)
        guard response.status == .ok else { throw WoofError.invalidServerResponse }
        return data
    }
}
