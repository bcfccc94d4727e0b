// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoServer
import Foundation
import Tern

/// Streams the answers of a model, and the messages of a tool.
@main
struct Assistant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Assistant",
        abstract: "Streams answers of a model and messages of a tool, as server-sent events.",
        discussion: "In one window: Assistant serve. In another: Assistant ask 'Tell me a story.'",
        subcommands: [DemoCommand.self, ServeCommand.self, AskCommand.self],
        defaultSubcommand: DemoCommand.self
    )

    static let port = 8767
}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs a server that speaks like the API of a model, on loopback, until it is interrupted."
    )

    @Option(help: "The port.") var port = Assistant.port

    func run() async throws {
        let model = ModelServer(pause: .milliseconds(150))
        try await DemoServer.run(at: self.port, answering: { model.answer($0) }) { server in
            print("The model is at \(server.address)\(ModelServer.path). Interrupt it with Control-C.")
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }
}

struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Asks the model, and prints its answer while it arrives."
    )

    @Argument(help: "The question.") var question: String
    @Option(name: .customLong("server"), help: "The address of the model.")
    var address = "http://127.0.0.1:\(Assistant.port)"

    func run() async throws {
        let client = AssistantClient(address: self.address)
        let answer = try await client.answer(to: self.question) { piece in
            FileHandle.standardOutput.write(Data(piece.utf8))
        }
        print(answer.isCut ? " [cut off]" : "")
        guard !answer.isCut else { throw ExitCode(1) }
    }
}
