import Foundation
import Tern

struct PhotoService {
    let client = Client()
    let address = "https://photos.example.com"

    func fetchPhoto(_ id: Int) async throws -> Data {
        let request = Request(.get, self.address)
            .path("photos")
            .pathSegment(id)
            .path("image")
        let (data, _) = try await self.client.data(for: request)
        return data
    }
}
