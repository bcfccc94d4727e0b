// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fetches a photo with `data`, and trusts neither the status nor the bytes.
struct PhotoChapter: DemoChapter {
    let title = "Fetch a photo"

    struct Metadata: Codable {
        var id: Int
        var title: String
        var favourites: Int
    }

    enum WoofError: Error {
        case invalidServerResponse
        case unsupportedImage
    }

    func play(on stage: DemoStage) async throws {
        let metadata = try await self.fetchMetadata(stage.url("photos/1"), stage.client)
        try await stage.say("GET /photos/1: \"\(metadata.title)\", favourite of \(metadata.favourites)")

        let image = try await self.fetchPhoto(stage.url("photos/1/image"), stage.client)
        try await stage.say("GET /photos/1/image: a picture of \(image.width) by \(image.height) pixels")
        try stage.expect(image.width == 64 && image.height == 48, "the picture has 64 by 48 pixels")

        do {
            _ = try await self.fetchPhoto(stage.url("photos/99/image"), stage.client)
            throw DemoFailure("a photo that is not there gives an error")
        } catch WoofError.invalidServerResponse {
            try await stage.say("GET /photos/99/image: there is none, which the check of the status finds")
        }
    }

    private func fetchMetadata(_ url: URL, _ client: Client) async throws -> Metadata {
        let (data, response) = try await client.data(from: url)
        guard response.status == .ok else { throw WoofError.invalidServerResponse }
        return try JSONDecoder().decode(Metadata.self, from: data)
    }

    private func fetchPhoto(_ url: URL, _ client: Client) async throws -> DemoImage {
        let (data, response) = try await client.data(from: url)
        guard response.status == .ok else { throw WoofError.invalidServerResponse }
        guard let image = DemoImage(data) else { throw WoofError.unsupportedImage }
        return image
    }
}
