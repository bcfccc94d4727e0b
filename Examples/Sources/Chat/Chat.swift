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

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the server, on loopback, until it is interrupted."
    )

    @Option(help: "The port.") var port = Chat.port
    @Option(help: "The file that stores the chat, so that a restart loses nothing.", completion: .file())
    var log = "chat.log"

    func run() async throws {
        let room = try ChatRoom(file: URL(fileURLWithPath: self.log))
        try await ChatServer.run(room, at: self.port) { port in
            Terminal.tell("The chat is at ws://127.0.0.1:\(port)\(ChatServer.path). Interrupt it with Control-C.\n")
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }
}

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Joins the chat and sends each line of standard input."
    )

    @Option(help: "Your name.") var name: String
    @Option(name: .customLong("server"), help: "The address of the chat.")
    var address = "ws://127.0.0.1:\(Chat.port)\(ChatServer.path)"

    func validate() throws {
        let limit = ChatLine.maximumNameByteCount
        guard 1...limit ~= self.name.utf8.count else { throw ValidationError("Give a name of 1 to \(limit) bytes.") }
    }

    func run() async throws {
        guard let url = URL(string: self.address) else { throw ValidationError("\(self.address) is not a valid URL.") }
        let person = ChatClient(self.name) { happening in
            switch happening {
            case .online: Terminal.tell("(online)\n")
            case .offline(let attempt): Terminal.tell("(offline; attempt \(attempt) follows)\n")
            case .elsewhere: Terminal.tell("(the server has another room; its lines follow)\n")
            case .heard(let line): Terminal.say(line.shown)
            }
        }
        let isAllSaid = try await withThrowingTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                try await person.run(at: url, by: Client())
                return false
            }
            tasks.addTask { try await Self.sayAll(by: person) }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? false
        }
        guard isAllSaid else { throw ExitCode(1) }
    }

    /// Sends the lines that the person types, and waits until the server has them; returns whether all could be sent.
    private static func sayAll(by person: ChatClient) async throws -> Bool {
        var isAllSaid = true
        for await line in Self.typedLines() {
            do throws(ChatFailure) {
                try await person.say(line)
            } catch {
                isAllSaid = false
                Terminal.tell("(\(error))\n")
            }
        }
        while await !person.isHeard { try await Task.sleep(for: .milliseconds(20)) }
        return isAllSaid
    }

    /// The lines of standard input, read on a separate thread.
    private static func typedLines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
