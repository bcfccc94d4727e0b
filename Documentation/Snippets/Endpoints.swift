// SPDX-License-Identifier: Apache-2.0
// The code in the article "Endpoints from a file". scripts/check snippets fails if the
// two copies differ. A test compares the method below with the output of the generator.
import Tern

struct Photo: Codable { var id: Int }

func use(_ client: Client) async throws {
    // snippet.endpoints-use
    let photos = Photos()
    let photo = try await photos.fetchPhoto(id: 3)
    let added = try await photos.addPhoto(tags: ["dog"], title: "Biscuit, \"asleep\"")
    let elsewhere = Photos(client: client, baseURL: "https://test.example.com")
    // snippet.end
    _ = (photo, added, elsewhere)
}

struct Photos {
    var client: Client = .shared
    var baseURL = "https://photos.example.com/api"

    // snippet.endpoints-generated
    func fetchPhoto(
        id: Int,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> Photo {
        let request = Request(.get, self.baseURL)
            .target("/photos/\(id)")
            .header("Accept", "application/json")
        return try await self.client.value(for: request, delegate: delegate)
    }
    // snippet.end

    func addPhoto(tags: [String], title: String) async throws(ClientError) -> Photo {
        let request = Request(.post, self.baseURL).target("/photos")
            .body(jsonText: #"{"title": "\#(title)", "tags": \#(tags)}"#)
        return try await self.client.value(for: request)
    }
}
