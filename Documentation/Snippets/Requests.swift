// SPDX-License-Identifier: Apache-2.0
// The code in the articles in Sources/Tern/Tern.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern

struct User: Codable { var name: String }
struct NewUser: Encodable { var name: String }

func values(_ client: Client) async throws {
    // snippet.value-call
    let users = Request(.get, "https://api.example.com/users")
    let user = try await client.value(for: users.pathSegment(7), as: User.self)
    let known: User? = try await client.value(for: users.pathSegment(8))
    try await client.send(Request(.delete, "https://api.example.com/users/9"))
    // snippet.end
    _ = (user, known)
}

func decoders() {
    // snippet.value-decoder
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    var configuration = Client.Configuration()
    configuration.decoder = JSONBodyDecoder(decoder)
    configuration.baseURL = URL(string: "https://api.example.com/v1")
    let client = Client(configuration: configuration)
    let request = Request(.get, "users/7")  // https://api.example.com/v1/users/7
    // snippet.end
    _ = (client, request)
}

// snippet.validation-error
struct ServiceError: Decodable {
    var code: String
    var message: String
}

func rename(
    _ client: Client,
    _ user: User,
    to name: String,
    show: (String) -> Void
) async throws {
    let request = Request(.put, "users/7").body(json: NewUser(name: name))
    do throws(ClientError) {
        try await client.send(request)
    } catch {
        if let reason = error.decoded(as: ServiceError.self) {
            show(reason.message)
        } else if let problem = error.problemDetails {
            show(problem.title ?? "The server says: \(error.status?.code ?? 0)")
        } else {
            throw error
        }
    }
}
// snippet.end

func rules(url: URL) {
    // snippet.validation-rules
    let request = Request(url: url)
        .validate(.success, .contentType("application/json", "application/*+json"))
    let lax = Request(url: url)
        .validate(.any(of: .success, .status([304, 404])), .length(0...1_000_000))
    // snippet.end
    // snippet.validation-client
    var configuration = Client.Configuration()
    configuration.validation = [.success, .accepted]
    var anything = Request(url: url)
    anything.options.validation = []  // this one accepts every response
    // snippet.end
    _ = (request, lax, configuration, anything)
}

func forms(url: URL, photoURL: URL, csvURL: URL) {
    // snippet.form-encoder
    struct Search: Encodable {
        var text: String
        var tags: [String]
        var since: Date?
    }
    let search = Search(text: "sea", tags: ["blue", "calm"], since: nil)
    let found = Request(url: url).query(search)  // ?tags[]=blue&tags[]=calm&text=sea
    let encoder = FormEncoder(arrays: .repeated, dates: .seconds)
    let posted = Request(.post, url).body(form: search, encoder: encoder)
    // snippet.end
    // snippet.form-multipart
    let form = Multipart()
        .field("title", "Sunset")
        .file("photo", photoURL, contentType: "image/jpeg")
    let upload = Request(.post, url).body(multipart: form)
    // snippet.end
    // snippet.form-compressed
    let report = Request(.post, url)
        .body(file: csvURL, contentType: "text/csv")
        .compressed()
    // snippet.end
    _ = (found, posted, upload, report)
}
