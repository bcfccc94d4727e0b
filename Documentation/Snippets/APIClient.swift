// SPDX-License-Identifier: Apache-2.0
// The code in the articles on a client for an API, on pagination and on frequent questions.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern
import TernTesting

// snippet.api-values
struct Album: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
}

struct NewAlbum: Encodable {
    var title: String
}
// snippet.end

// snippet.api-client
struct AlbumAPI: Sendable {
    let client: Client

    func albums(page: Int = 1) async throws(ClientError) -> [Album] {
        let request = Request(.get, "albums").query("page", page)
        return try await self.client.value(for: request)
    }

    /// Returns `nil` if no album has this identifier.
    func album(_ id: Album.ID) async throws(ClientError) -> Album? {
        let request = Request(.get, "albums").pathSegment(id)
        do {
            return try await self.client.value(for: request, as: Album.self)
        } catch {
            guard error.status == .notFound else { throw error }
            return nil
        }
    }

    func create(_ album: NewAlbum) async throws(ClientError) -> Album {
        try await self.client.value(for: Request(.post, "albums").body(json: album))
    }

    func delete(_ id: Album.ID) async throws(ClientError) {
        try await self.client.send(Request(.delete, "albums").pathSegment(id))
    }
}
// snippet.end

// snippet.api-configuration
extension AlbumAPI {
    /// The settings that all calls of the service share.
    static var configuration: Client.Configuration {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase

        var configuration = Client.Configuration()
        configuration.baseURL = URL(string: "https://api.example.com/v1")
        configuration.decoder = JSONBodyDecoder(decoder)
        configuration.defaultFields["X-Client"] = "Albums/2.1"
        configuration.validation = [.success, .accepted]
        configuration.retry = RetryPolicy()
        return configuration
    }
}

let api = AlbumAPI(client: Client(configuration: AlbumAPI.configuration))
// snippet.end

// snippet.api-pages
extension AlbumAPI {
    /// All albums; requests a page when the loop has read the one before.
    func allAlbums() -> AsyncThrowingStream<[Album], any Error> {
        let pages = Pages(client: self.client)
        return AsyncThrowingStream { try await pages.next() }
    }

    private struct Page: Decodable {
        var albums: [Album]
        var nextCursor: String?  // missing on the last page
    }

    private actor Pages {
        private let client: Client
        private var request: Request? = Request(.get, "albums")

        init(client: Client) { self.client = client }

        func next() async throws(ClientError) -> [Album]? {
            guard let request = self.request else { return nil }
            let page = try await self.client.value(for: request, as: Page.self)
            self.request = page.nextCursor.map {
                Request(.get, "albums").query("cursor", $0)
            }
            return page.albums
        }
    }
}
// snippet.end

func reading(_ api: AlbumAPI, show: ([Album]) -> Void) async throws {
    // snippet.api-pages-loop
    for try await albums in api.allAlbums() { show(albums) }
    // snippet.end
}

func expect(_ isTrue: Bool) { precondition(isTrue) }

func tested() async throws {
    let server = ScriptedServer { request in
        switch (request.method, request.target) {
        case (.get, "/v1/albums?page=1"):
            .response(fields: [.contentType: "application/json"], body: #"[{"id": 1, "title": "Dogs"}]"#)
        case (.get, "/v1/albums/7"):
            .response(.notFound)
        default:
            .response(.internalServerError)
        }
    }
    var configuration = AlbumAPI.configuration
    configuration.baseURL = URL(string: "http://api.example.com/v1")
    let api = AlbumAPI(client: Client(configuration: configuration, connector: MemoryConnector(server)))

    expect(try await api.albums() == [Album(id: 1, title: "Dogs")])
    expect(try await api.album(7) == nil)
    expect(server.requests.first?.fields["X-Client"] == "Albums/2.1")
}

// snippet.faq-form
let form = Request(.post, "https://api.example.com/token")
    .body(form: ["grant_type": "password", "user": "ann"])
// snippet.end

func frequentlyAsked(_ client: Client, url: URL) async throws {
    // snippet.faq-text
    let text = try await client.string(from: url)
    // snippet.end
    print(text)
}
try await tested()
