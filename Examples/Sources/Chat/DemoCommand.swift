// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Tern

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Two people talk while their server is restarted (the default)."
    )

    func run() async throws {
        try await Self.play { print($0) }
    }

    /// Runs the demo; throws if a step fails.
    static func play(_ say: @escaping @Sendable (String) -> Void) async throws {
        let room = ChatRoom()
        let anna = ChatClient("anna") { say(Self.text("anna", $0)) }
        let bert = ChatClient("bert") { if case .heard = $0 { return } else { say(Self.text("bert", $0)) } }
        let client = Client()
        let policy = ReconnectionPolicy(initialDelay: .milliseconds(100), maximumDelay: .milliseconds(400))
        try await withThrowingTaskGroup(of: Void.self) { chats in
            defer { chats.cancelAll() }
            say("the server starts")
            let port = try await ChatServer.run(room) { port in
                guard let url = URL(string: "ws://127.0.0.1:\(port)\(ChatServer.path)") else {
                    throw ChatServer.NoPort()
                }
                for person in [anna, bert] {
                    chats.addTask { try await person.run(at: url, by: client, policy: policy) }
                }
                try await anna.say("hello")
                try await bert.waitForLines(1)
                try await bert.say("hello, anna")
                try await anna.waitForLines(2)
                return port
            }
            say("the server is gone, and both keep talking")
            try await anna.say("are you there?")
            try await bert.say("I think the server is not")
            try await anna.say("then it will hear us later")
            try await Task.sleep(for: .seconds(1))
            say("the server starts again")
            try await ChatServer.run(room, at: port) { _ in
                for person in [anna, bert] { try await person.waitForLines(5) }
                try await Self.compare(anna.lines, bert.lines, say)
                chats.cancelAll()
            }
        }
    }

    /// Checks that no line is lost or appears twice, and that all members receive the same lines.
    private static func compare(_ one: [ChatLine], _ other: [ChatLine], _ say: (String) -> Void) throws {
        let isWhole = one.map(\.number) == Array(1...5) && one == other
        say("both heard \(isWhole ? "the same five lines, each once" : "something else")")
        guard isWhole else { throw ExitCode(1) }
    }

    private static func text(_ name: String, _ happening: ChatClient.Happening) -> String {
        switch happening {
        case .online: "  \(name) is online"
        case .offline(let attempt): "  \(name) is offline, attempt \(attempt) follows"
        case .elsewhere: "  \(name) is in another room"
        case .heard(let line): "  \(line.number). \(line.shown)"
        }
    }
}
