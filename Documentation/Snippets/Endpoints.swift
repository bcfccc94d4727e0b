// SPDX-License-Identifier: Apache-2.0
// The code in the article "Endpoints from a file". scripts/check-snippets fails if the
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
    /// Fetches a photo.
    ///
    /// What is known of it, without the image.
    ///
    /// - Parameters:
    ///   - id: the number of the photo.
    ///   - delegate: Handles this call's challenges and events. Defaults to `nil`.
    /// - Returns: The value in the body of the response.
    /// - Throws: `ClientError`; `.validationFailed` for a status other than 2xx, `.decodingFailed` if the body
    ///   cannot be decoded.
    func fetchPhoto(id: Int, delegate: (any TaskDelegate)? = nil) async throws(ClientError) -> Photo {
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

struct Delta: Decodable { var text: String }

struct Answers {
    var client: Client = .shared

    func answer(question: String) async throws(ClientError) -> DecodedEvents<Delta> {
        let request = Request(.post, "https://answers.example.com/answers")
            .body(jsonText: #"{"question": "\#(question)", "stream": true}"#)
        return try await self.client.events(for: request, as: Delta.self, until: .data("[DONE]"))
    }
}

func stream(_ answers: Answers) async throws {
    // snippet.endpoints-stream
    for try await delta in try await answers.answer(question: "How long do dogs sleep?") {
        print(delta.text, terminator: "")
    }
    // snippet.end
}

func byHand(album: String, text: String, page: Int) {
    // snippet.endpoints-by-hand
    let search = Request(.get, "https://api.example.com").target("/albums/\(album)/photos?text=\(text)&page=\(page)")
    let rename = Request(.patch, search.url).body(jsonText: #"{"title": "\#(text)", "page": \#(page)}"#)
    // snippet.end
    _ = rename
}
