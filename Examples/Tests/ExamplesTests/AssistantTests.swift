// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation
import Tern
import Testing

@testable import Assistant

struct AssistantTests {
    @Test(.timeLimit(.minutes(1))) func `the demo tells its story`() async throws {
        let story = Story()
        try await DemoCommand.play { story.add($0) }
        #expect(
            story.lines == [
                "Why is the sky blue?",
                "  Air scatters blue light more than red light, so blue reaches you from every direction.",
                "Tell me a story. Break off.", "  Once upon a time, a tern flew from one end of [cut off]",
                "Tell me a story. Stop short.", "  Once upon a time, a tern flew from one end of [cut off]",
                "What is the weather? (a tool whose server restarts)", "  online", "  offline", "  online",
                "  step 1 of 3", "  offline", "  online", "  step 2 of 3", "  step 3 of 3",
                "  the tool says: sunny, 21 degrees",
            ]
        )
    }

    @Test(.timeLimit(.minutes(1))) func `a refusal of the model has the service's own message`() async throws {
        struct Refusal: Decodable { var message: String }
        let refusal = DemoAnswer.text(#"{"message": "too many questions"}"#, status: 429, type: "application/json")
        try await DemoServer.run(answering: { _ in refusal }) { server in
            let error = await #expect(throws: ClientError.self) {
                try await AssistantClient(address: server.address).answer(to: "Why?")
            }
            #expect(error?.status == .tooManyRequests)
            #expect(error?.decoded(as: Refusal.self)?.message == "too many questions")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a call whose messages the server has lost ends with an error`() async throws {
        let tools = ToolServer()
        try await DemoServer.run(answering: { $0.method == "POST" ? tools.answer($0) : ToolServer().answer($0) }) {
            let client = AssistantClient(address: $0.address)
            let error = await #expect(throws: ClientError.self) { try await client.callTool("forecast") { _ in } }
            #expect(error?.status == .badRequest)
            #expect($0.requests == ["POST /mcp", "GET /mcp"])
        }
    }

    @Test func `a client that comes back gets what it has missed, and then what is new`() async throws {
        let log = ToolCallLog(name: "a", id: 1)
        for _ in 0..<2 { log.advance(to: 3) }
        let events = try #require(log.events(after: 1))
        log.advance(to: 3)
        log.advance(to: 3)
        var received: [String] = []
        for await event in events { received.append(String(decoding: event, as: UTF8.self)) }
        #expect(received.map { $0.prefix { $0 != "\n" } } == ["id: a/2", "id: a/3", "id: a/4"])
        #expect(received.last?.contains("sunny") == true)
        for number in [-1, 5, .max] { #expect(log.events(after: number) == nil) }
    }
}
