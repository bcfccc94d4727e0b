// SPDX-License-Identifier: Apache-2.0
// The code in the comments of Tern on streams of events and records.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern

struct Delta: Decodable { var text: String }
struct Change: Decodable { var id: Int }

func apply(_ change: Change) { print(change.id) }
func show(_ event: ServerSentEvent) { print(event.data) }
func showOnline() { print("online") }
func showOffline(_ disconnection: EventDisconnection, _ attempt: Int) { print("offline, attempt \(attempt)") }

func decodingEvents(_ client: Client, asking question: String) async throws {
    // snippet.comment-decoded-events
    let request = Request(.post, "https://api.example.com/answers").body(json: question)
    let deltas = try await client.events(
        for: request,
        as: Delta.self,
        until: .data("[DONE]")
    )
    for try await delta in deltas { print(delta.text, terminator: "") }
    // snippet.end
}

func readingAnEventStream(_ client: Client, from url: URL) async throws {
    // snippet.comment-event-stream
    for try await event in try await client.events(from: url) {
        print(event.event, event.data)
    }
    // snippet.end
}

func endingAStream(_ client: Client, _ request: Request) async throws {
    // snippet.comment-final-event
    let answer = try await client.events(for: request, until: .data("[DONE]"))
    let response = try await client.events(
        for: request,
        until: .event("response.completed", "response.failed")
    )
    // snippet.end
    _ = (answer, response)
}

func reconnecting(_ client: Client, to url: URL) async throws {
    // snippet.comment-reconnecting-events
    for try await element in client.reconnectingEvents(from: url) {
        switch element {
        case .connected: showOnline()
        case .event(let event): show(event)
        case .disconnected(let disconnection, let attempt):
            showOffline(disconnection, attempt)
        }
    }
    // snippet.end
}

func readingValues(_ client: Client, _ request: Request) async throws {
    // snippet.comment-values
    for try await change in try await client.values(for: request, as: Change.self) {
        apply(change)
    }
    // snippet.end
}
