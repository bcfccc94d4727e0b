import Foundation
import Tern

enum WoofError: Error {
    case invalidServerResponse
}

struct PhotoLibrary {
    let client = Client()
    let address = "https://photos.example.com"

    func upload(_ file: URL, as id: Int) async throws {
        let request = Request(.put, self.address)
            .path("photos")
            .pathSegment(id)
            .header(.contentType, "image/jpeg")
        let (_, response) = try await self.client.upload(
            for: request,
            fromFile: file
        )
        guard response.status == .created else {
            throw WoofError.invalidServerResponse
        }
    }
}
