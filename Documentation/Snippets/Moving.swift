// SPDX-License-Identifier: Apache-2.0
// The code in the articles on moving from other libraries. scripts/check snippets
// fails if the two copies differ.
import Foundation
import Tern

struct Album: Codable { var title: String }
struct ServiceError: Decodable { var message: String }

// snippet.moving-session-delegate
final class PhotoDelegate: TaskDelegate {
    func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? {
        guard challenge.protectionSpace.scheme == .basic else {
            return nil  // URLSession: .performDefaultHandling
        }
        guard challenge.previousFailureCount == 0 else { return .cancel }
        let credential = Credential(
            user: "anna",
            password: "woof",
            persistence: .forSession
        )
        return .useCredential(credential)
    }
}
// snippet.end

func session() async throws {
    // snippet.moving-session-client
    var configuration = Client.Configuration()
    configuration.cookieStore = MemoryCookieStore()
    configuration.cache = MemoryCacheStore()
    configuration.timeouts = Timeouts(idle: .seconds(60), call: .seconds(7 * 86_400))
    let client = Client(configuration: configuration, delegate: PhotoDelegate())
    // snippet.end
    _ = client
}

func asyncHTTPClient(_ client: Client, url: URL) async throws {
    // snippet.moving-ahc-call
    let request = Request(.post, "https://api.example.com/albums")
        .body(json: Album(title: "Dogs"))
        .timeout(.seconds(30))
    let (data, response) = try await client.data(for: request)
    guard response.status == .created else { return }
    let album = try JSONDecoder().decode(Album.self, from: data)
    // snippet.end
    _ = album
    // snippet.moving-ahc-stream
    let (bytes, _) = try await client.bytes(from: url)
    for try await chunk in bytes.chunks { print(chunk.count) }
    // snippet.end
}

func alamofire(_ client: Client, url: URL, token: String) async throws {
    // snippet.moving-alamofire-call
    let request = Request(url: url)
        .query("page", 2)
        .header(.authorization, "Bearer \(token)")
        .validate(.success, .contentType("application/json"))
    do throws(ClientError) {
        let albums = try await client.value(for: request, as: [Album].self)
        print(albums.count)
    } catch {
        let answer = error.decoded(as: ServiceError.self)
        print(answer?.message ?? error.localizedDescription)
    }
    // snippet.end
}
