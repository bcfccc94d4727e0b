// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DemoTerminal
import Foundation
import Tern

/// A chat that survives a restart of its server.
@main
struct Chat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Chat",
        abstract: "A chat over WebSocket that survives a restart of its server.",
        discussion: "In one window: Chat serve. In others: Chat join --name anna. Stop the server and start it again.",
        subcommands: [DemoCommand.self, ServeCommand.self, JoinCommand.self],
        defaultSubcommand: DemoCommand.self
    )

    static let port = 8766
}

/// `Chat serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the server, on loopback, until it is interrupted."
    )

    @Option(help: "The port.") var port = Chat.port
    @Option(help: "The file that keeps what was said, so that a restart loses nothing.", completion: .file())
    var log = "chat.log"

    func run() async throws {
        let room = try ChatRoom(file: URL(fileURLWithPath: self.log))
        try await ChatServer.run(room, at: self.port) { port in
            Terminal.tell("The chat is at ws://127.0.0.1:\(port)\(ChatServer.path). Interrupt it with Control-C.\n")
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }
}

/// `Chat join`.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Takes part: each line of standard input is said."
    )

    @Option(help: "Who you are.") var name: String
    @Option(name: .customLong("server"), help: "Where the chat is.")
    var address = "ws://127.0.0.1:\(Chat.port)\(ChatServer.path)"

    func run() async throws {
        guard let url = URL(string: self.address) else { throw ValidationError("\(self.address) is no URL.") }
        let person = ChatClient(self.name) { happening in
            switch happening {
            case .online: Terminal.tell("(online)\n")
            case .offline(let attempt): Terminal.tell("(offline; attempt \(attempt) follows)\n")
            case .heard(let line): print("\(line.author): \(line.text)")
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await person.run(at: url, by: Client()) }
            tasks.addTask {
                for await line in Self.typedLines() { await person.say(line) }
                while await !person.isHeard { try await Task.sleep(for: .milliseconds(20)) }
            }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    /// The lines of standard input, read by a thread of their own.
    private static func typedLines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
