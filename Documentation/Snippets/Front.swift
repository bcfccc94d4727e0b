// SPDX-License-Identifier: Apache-2.0
// The code in README.md. scripts/check snippets fails if the two copies differ.
import Foundation

// snippet.front-verbs
import Tern

// snippet.end

struct Album: Decodable { var title: String }
func scheduleRetry() { print("soon") }

func verbs(from url: URL, to destination: URL, of userID: Int, photoURL: URL, chatURL: URL) async throws {
    // snippet.front-verbs
    let client = Client()

    let (data, response) = try await client.data(from: url)  // in memory, up to a limit
    // To a file, with a few buffers in memory:
    let (location, _) = try await client.download(from: url, to: destination)
    let request = Request(.post, "https://api.example.com/users")
        .pathSegment(userID).path("photos").header(.accept, "application/json")
    // Pass a `ProgressDelegate` as `delegate:` to follow the progress:
    let (answer, _) = try await client.upload(for: request, fromFile: photoURL)
    let (bytes, _) = try await client.bytes(from: url)  // a slow loop slows the server
    for try await line in bytes.lines { print(line) }
    let socket = try await client.webSocket(from: chatURL)  // compressed if both agree
    try await socket.send("hello")
    for try await message in socket { print(message) }  // until either side closes

    do {
        let album = try await client.value(from: url, as: Album.self)
        print(album.title)
    } catch {  // a ClientError, nothing else
        if case .validationFailed = error {
            print(error.problemDetails?.title ?? "refused")
        }
        if error.isRetryable { scheduleRetry() }
    }
    // snippet.end
    _ = (data, response, location, answer)
}

struct Service: Sendable {
    func newToken() async throws -> BearerAuthentication.Token { .init("a token") }
}

func stages(cacheFolder: URL, apiOrigin: Origin, current: KeyPin, next: KeyPin, service: Service) throws {
    // snippet.front-stages
    var configuration = Client.Configuration()
    configuration.retry = RetryPolicy()  // only requests that are safe to repeat
    configuration.cookieStore = MemoryCookieStore()
    configuration.cache = DiskCacheStore(directory: cacheFolder)
    let pins = try PinSet(host: "api.example.com", pins: [current], backupPins: [next])
    configuration.tls.trust = .system.pinning(pins)
    let proxy = try Proxy("socks5://proxy.example:1080")
    configuration.proxy = .proxy(proxy, except: "localhost")
    configuration.bearer = [
        BearerAuthentication(for: [apiOrigin]) { _ in try await service.newToken() }
    ]
    // snippet.end
    _ = configuration
}
