// SPDX-License-Identifier: Apache-2.0
// The code in the articles on streams of events and records. scripts/check snippets
// fails if the two copies differ.
import Foundation
import Tern

struct Delta: Decodable { var text: String }
struct ContentDelta: Decodable { var delta: Delta }
struct Problem: Decodable { var message: String }
struct Refused: Error { var message: String }

func show(_ text: String) { print(text, terminator: "") }
func show(_ event: ServerSentEvent) { print(event.data) }
func showOnline() { print("online") }
func showOffline(retryingIn delay: Duration?) { print("offline") }
func store(_ event: ServerSentEvent) async throws { print(event.data) }

func answering(_ client: Client, _ request: Request) async throws {
    // snippet.answer-types
    let decoder = JSONDecoder()
    let events = try await client.events(for: request, until: .event("message_stop"))
    for try await event in events {
        let data = Data(event.data.utf8)
        switch event.event {
        case "content_block_delta":
            show(try decoder.decode(ContentDelta.self, from: data).delta.text)
        case "error":
            throw Refused(message: try decoder.decode(Problem.self, from: data).message)
        default: break  // also the types that a later version of the service adds
        }
    }
    // snippet.end
}

func following(_ client: Client, _ url: URL) async throws {
    // snippet.feed-loop
    for try await element in client.reconnectingEvents(from: url) {
        switch element {
        case .connected: showOnline()
        case .event(let event): show(event)
        case .disconnected(let disconnection, _):
            showOffline(retryingIn: disconnection.retryDelay)
        }
    }
    // snippet.end
}

func followingFromDisk(_ client: Client, _ url: URL, file: URL) async throws {
    // snippet.feed-bookmark
    let bookmark = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let events = client.reconnectingEvents(from: url, lastEventID: bookmark)
    for try await case .event(let event) in events {
        try await store(event)
        try Data(event.id.utf8).write(to: file, options: .atomic)  // now it is done
    }
    // snippet.end
}

func followingPatiently(_ client: Client, _ url: URL) {
    // snippet.feed-idle
    var timeouts = client.configuration.timeouts
    timeouts.idle = .seconds(45)  // the server sends a comment every 15 s
    timeouts.call = nil  // a limit for whole calls would end the feed
    let feed = client.reconnectingEvents(for: Request(url: url).timeouts(timeouts))
    // snippet.end
    _ = feed
}

func followingWithAPolicy(_ client: Client, _ url: URL) {
    // snippet.feed-policy
    let policy = EventReconnectionPolicy(
        maximumDelay: .seconds(10),
        maximumAttemptCount: 8,
        isFinal: { disconnection in
            disconnection.error?.status == .internalServerError
                || EventReconnectionPolicy.isFinalByDefault(disconnection)
        }
    )
    let feed = client.reconnectingEvents(from: url, policy: policy)
    // snippet.end
    _ = feed
}

struct Change: Decodable { var id: Int }
struct Measurement: Encodable { var celsius: Double }
struct Answer: Decodable { var text: String }
func apply(_ change: Change) { print(change) }

func receiving(_ client: Client, _ url: URL) async throws {
    // snippet.values-loop
    for try await change in try await client.values(from: url, as: Change.self) {
        apply(change)
    }
    // snippet.end
}

func sending(_ client: Client, _ url: URL, measurements: AsyncStream<Measurement>) async throws {
    // snippet.values-send
    try await client.send(Request(.post, url).body(jsonLines: measurements))
    // snippet.end
}

func exchanging(_ client: Client, _ url: URL, questions: AsyncStream<String>) async throws {
    // snippet.values-both
    let request = Request(.post, url).body(jsonLines: questions)
    for try await answer in try await client.values(for: request, as: Answer.self) {
        show(answer.text)
    }
    // snippet.end
}
