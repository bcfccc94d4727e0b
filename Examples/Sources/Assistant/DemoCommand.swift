// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoServer
import Foundation
import Tern

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Asks a model, and calls a tool whose server restarts (the default)."
    )

    func run() async throws {
        try await Self.play { print($0) }
    }

    /// Runs the demo; throws if a step fails.
    static func play(_ say: @escaping @Sendable (String) -> Void) async throws {
        let model = ModelServer()
        try await DemoServer.run(answering: { model.answer($0) }) { server in
            let client = AssistantClient(address: server.address)
            for question in ["Why is the sky blue?", "Tell me a story. Break off.", "Tell me a story. Stop short."] {
                say(question)
                let answer = try await client.answer(to: question)
                say("  \(answer.text)\(answer.isCut ? " [cut off]" : "")")
            }
        }
        say("What is the weather? (a tool whose server restarts)")
        say("  the tool says: \(try await Self.askTool(say))")
    }

    private static func askTool(_ say: @escaping @Sendable (String) -> Void) async throws -> String {
        let tools = ToolServer()
        let (happenings, reporter) = AsyncStream.makeStream(of: AssistantClient.Happening.self)
        return try await withThrowingTaskGroup(of: String.self) { calls in
            defer { calls.cancelAll() }
            let port = try await DemoServer.run(answering: { tools.answer($0) }) { server in
                let client = AssistantClient(address: server.address)
                calls.addTask {
                    defer { reporter.finish() }
                    return try await client.callTool("forecast") { reporter.yield($0) }
                }
                // The server answers the POST, and closes the connection. The GET follows.
                for last: AssistantClient.Happening in [.online, .offline, .online] {
                    await Self.show(happenings, until: last, say)
                }
                tools.work()
                await Self.show(happenings, until: .progress(1), say)
                return server.port
            }
            // No server listens now, but the tool continues.
            tools.work()
            return try await DemoServer.run(at: port, answering: { tools.answer($0) }) { _ in
                await Self.show(happenings, until: .progress(2), say)
                tools.work()
                await Self.show(happenings, until: .progress(3), say)
                guard let result = try await calls.next() else { throw AssistantClient.NoResult() }
                return result
            }
        }
    }

    /// Prints the events of the call, up to the event `last` or the end of the call.
    private static func show(
        _ happenings: AsyncStream<AssistantClient.Happening>,
        until last: AssistantClient.Happening,
        _ say: (String) -> Void
    ) async {
        for await happening in happenings {
            say("  \(Self.text(happening))")
            if happening == last { return }
        }
    }

    private static func text(_ happening: AssistantClient.Happening) -> String {
        switch happening {
        case .online: "online"
        case .offline: "offline"
        case .progress(let step): "step \(step) of \(ToolServer.stepCount)"
        }
    }
}
