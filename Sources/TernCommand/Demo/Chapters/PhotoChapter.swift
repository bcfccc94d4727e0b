// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation

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
        try await stage.say("GET /photos/1: \"\(metadata.title)\", a favourite of \(metadata.favourites) people")

        let image = try await self.fetchPhoto(stage.url("photos/1/image"), stage.client)
        try await stage.say("GET /photos/1/image: a picture of \(image.width) by \(image.height) pixels")
        try stage.expect(image.width == 64 && image.height == 48, "the picture has 64 by 48 pixels")

        do {
            _ = try await self.fetchPhoto(stage.url("photos/99/image"), stage.client)
            throw DemoFailure("a missing photo causes an error")
        } catch WoofError.invalidServerResponse {
            try await stage.say("GET /photos/99/image: 404, which the check of the status detects")
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

/// A picture in the format PPM: a short head, then three bytes for each pixel.
struct DemoImage {
    let width: Int
    let height: Int

    init?(_ data: Data) {
        let head = String(decoding: data.prefix(32), as: UTF8.self).split(separator: "\n", maxSplits: 3)
        guard head.count > 2, head[0] == "P6", head[2] == "255" else { return nil }
        let size = head[1].split(separator: " ").compactMap { Int($0) }
        let headByteCount = head[..<3].reduce(0) { $0 + $1.utf8.count + 1 }
        guard size.count == 2, data.count == headByteCount + size[0] * size[1] * 3 else { return nil }
        self.width = size[0]
        self.height = size[1]
    }

    static func make(width: Int, height: Int) -> [UInt8] {
        let fog = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: 200 + $0 % 7) }
        return Array("P6\n\(width) \(height)\n255\n".utf8) + fog
    }
}
