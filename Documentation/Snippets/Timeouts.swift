// SPDX-License-Identifier: Apache-2.0
// The code in the article on time limits and cancellation. scripts/check snippets
// fails if the two copies differ.
import Foundation
import Tern

func limitingCall(_ client: Client, url: URL) async throws {
    // snippet.timeouts-call
    let request = Request(url: url).timeout(.seconds(30))  // with redirects and retries
    let (data, _) = try await client.data(for: request)
    // snippet.end
    _ = data
}

func limitingAllCalls() -> Client {
    // snippet.timeouts-client
    var configuration = Client.Configuration()
    configuration.timeouts.connect = .seconds(5)
    configuration.timeouts.firstByte = .seconds(15)
    let client = Client(configuration: configuration)
    // snippet.end
    return client
}

func limitingRequest(_ client: Client, url: URL) -> Request {
    // snippet.timeouts-request
    var timeouts = client.configuration.timeouts
    timeouts.idle = .seconds(300)
    let request = Request(url: url).timeouts(timeouts)
    // snippet.end
    return request
}

func limitingTogether(_ client: Client, _ first: Request, _ second: Request) async throws {
    // snippet.timeouts-together
    let end = ContinuousClock.now + .seconds(10)
    for request in [first, second] {
        let rest = ContinuousClock.now.duration(to: end)
        guard rest > .zero else { break }
        try await client.send(request.timeout(rest))
    }
    // snippet.end
}

func cancelling(_ client: Client, url: URL) {
    // snippet.timeouts-cancel
    let loading = Task { try await client.data(from: url).0 }
    loading.cancel()  // when nothing needs the data any more
    // snippet.end
}

func leaving(_ client: Client, url: URL) async throws {
    // snippet.timeouts-loop
    let (bytes, _) = try await client.bytes(from: url)
    for try await line in bytes.lines {
        print(line)
        if line.isEmpty { break }
    }
    // snippet.end
}
