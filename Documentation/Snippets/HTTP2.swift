// SPDX-License-Identifier: Apache-2.0
// The code in the article on HTTP/2, and in the comment of RequestPriority. scripts/check snippets fails if the two
// copies differ.
import Foundation
import Tern

func thumbnails(_ client: Client, urls: [URL]) async throws {
    // snippet.http2-many
    let images = try await withThrowingTaskGroup(of: Data.self) { group in
        for url in urls {
            group.addTask { try await client.data(from: url).0 }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
    // snippet.end
    _ = images
}

func version(_ client: Client, url: URL) async throws(ClientError) {
    // snippet.http2-version
    let (_, response) = try await client.data(from: url)
    print(response.httpVersion == .http2)  // true, if the server chose it
    // snippet.end
}

func choosing(url: URL) -> Client {
    // snippet.http2-choose
    var configuration = Client.Configuration()
    configuration.httpVersion = .http2PriorKnowledge  // for all calls, also without TLS
    let client = Client(configuration: configuration)
    let request = Request(url: url).httpVersion(.http1)  // for one call
    // snippet.end
    _ = request
    return client
}

func keepingAlive() -> Client {
    // snippet.http2-keep-alive
    var configuration = Client.Configuration()
    configuration.http2KeepAlive = HTTP2KeepAlive(
        interval: .seconds(15),
        pingsIdleConnections: true
    )
    let client = Client(configuration: configuration)
    // snippet.end
    return client
}

func priorities(_ client: Client, url: URL, page: URL, photo: URL) async throws(ClientError) {
    // snippet.http2-priority
    let visible = Request(url: page).priority(RequestPriority(urgency: 1))
    let prefetched = Request(url: photo)
        .priority(RequestPriority(urgency: 6, isIncremental: true))
    // snippet.end
    _ = (visible, prefetched)
}

func changingPriorities(_ client: Client, photo: URL) {
    // snippet.http2-adjust
    let priority = AdjustablePriority(RequestPriority(urgency: 6))
    let request = Request(url: photo).priority(priority)
    let loading = Task { try await client.data(for: request).0 }
    priority.current = RequestPriority(urgency: 1)  // the photo has become visible
    // snippet.end
    _ = loading
}

func sharedPriority(_ client: Client, photo: URL) {
    // snippet.comment-adjust
    let priority = AdjustablePriority(RequestPriority(urgency: 6))
    let request = Request(url: photo).priority(priority)
    let loading = Task { try await client.data(for: request).0 }
    priority.current = RequestPriority(urgency: 1)  // the photo has become visible
    // snippet.end
    _ = loading
}

func refusals(_ client: Client, request: Request) async throws(ClientError) {
    // snippet.http2-errors
    do {
        _ = try await client.data(for: request)
    } catch .connectionLost(.streamReset(let code), let context) {
        print("the server ended the exchange with the code \(code)", context.delivery)
    }
    // snippet.end
}
