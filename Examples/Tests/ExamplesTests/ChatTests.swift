// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation
import Tern
import Testing

@testable import Chat

struct ChatTests {
    @Test(.timeLimit(.minutes(1))) func `the demo tells its story`() async throws {
        let story = Story()
        try await DemoCommand.play { story.add($0) }
        #expect(story.lines.contains("both heard the same five lines, each once"))
        #expect(story.lines.filter { $0 == "  bert is online" }.count == 2)
    }

    @Test func `what is said twice is heard once`() throws {
        let room = ChatRoom()
        let id = UUID()
        for _ in 0..<2 { try room.say("hello", id: id, by: "anna") }
        try room.say("hello", id: UUID(), by: "anna")
        #expect(room.lines.map(\.number) == [1, 2])
    }

    @Test func `who comes back hears what was said meanwhile`() async throws {
        let room = ChatRoom()
        for text in ["one", "two", "three"] { try room.say(text, id: UUID(), by: "anna") }
        let (member, after, lines) = room.join(after: 1, of: room.id)
        #expect(after == 1)
        try room.say("four", id: UUID(), by: "anna")
        room.leave(member)
        var heard: [String] = []
        for await line in lines { heard.append(line.text) }
        #expect(heard == ["two", "three", "four"])
    }

    @Test func `a room with a file outlives the process, also if its last line was torn`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).log")
        defer { try? FileManager.default.removeItem(at: file) }
        let id = UUID()
        try ChatRoom(file: file).say("one\ntwo", id: id, by: "anna")
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"number\":2,".utf8))
        try handle.close()
        let room = try ChatRoom(file: file)
        try room.say("one\ntwo", id: id, by: "anna")
        try room.say("three", id: UUID(), by: "anna")
        #expect(room.lines.map(\.text) == ["one\ntwo", "three"])
        #expect(try ChatRoom(file: file).lines == room.lines)
    }

    @Test(arguments: [(nil, 1), (UUID(), 1), (nil, 0)])
    func `the numbers of another room mean nothing`(_ other: UUID?, _ number: Int) throws {
        let room = ChatRoom()
        try room.say("hello", id: UUID(), by: "anna")
        #expect(room.join(after: number, of: other).after == 0)
        for number in [-1, 0, 2, .max, .min] { #expect(room.join(after: number, of: room.id).after == 0) }
        #expect(room.join(after: 1, of: room.id).after == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `who comes to another room hears all of it`() async throws {
        let (first, second) = (ChatRoom(), ChatRoom())
        for text in ["one", "two"] { try first.say(text, id: UUID(), by: "bert") }
        try second.say("three", id: UUID(), by: "bert")
        let story = Story()
        let anna = ChatClient("anna") { if $0 == .elsewhere { story.add("elsewhere") } }
        let policy = ReconnectionPolicy(initialDelay: .milliseconds(10), maximumDelay: .milliseconds(50))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            let port = try await ChatServer.run(first) { port in
                let url = try #require(URL(string: "ws://127.0.0.1:\(port)\(ChatServer.path)"))
                tasks.addTask { try await anna.run(at: url, by: Client(), policy: policy) }
                try await anna.waitForLines(2)
                #expect(story.lines.isEmpty)
                return port
            }
            try await anna.say("four")
            try await ChatServer.run(second, at: port) { _ in
                while await !anna.isHeard { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
        #expect(await anna.lines.map(\.text) == ["three", "four"])
        #expect(second.lines.map(\.text) == ["three", "four"])
        #expect(story.lines == ["elsewhere"])
    }

    @Test func `a line that the server would refuse is refused at once`() async throws {
        let anna = ChatClient("anna")
        try await anna.say(String(repeating: "ü", count: 2048))
        await #expect(throws: ChatFailure.tooLong(byteCount: 4097)) {
            try await anna.say(String(repeating: "ü", count: 2048) + ".")
        }
        #expect(await !anna.isHeard)
    }

    @Test(.timeLimit(.minutes(1))) func `the longest line comes through, whatever is in it`() async throws {
        let room = ChatRoom()
        let anna = ChatClient("anna")
        let text = String(repeating: "\u{1}", count: ChatLine.maximumTextByteCount)
        try await anna.say(text)
        try await ChatServer.run(room) { port in
            let url = try #require(URL(string: "ws://127.0.0.1:\(port)\(ChatServer.path)"))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                defer { tasks.cancelAll() }
                tasks.addTask { try await anna.run(at: url, by: Client()) }
                try await anna.waitForLines(1)
            }
        }
        #expect(await anna.isHeard)
        #expect(room.lines.map(\.text) == [text])
    }

    @Test(.timeLimit(.minutes(1))) func `who is refused for good is told, and nobody waits for them`() async throws {
        let anna = ChatClient("anna")
        try await DemoServer.run(answering: { _ in .notFound }) { server in
            let url = try #require(URL(string: server.address.replacingOccurrences(of: "http", with: "ws")))
            await #expect(throws: ClientError.self) { try await anna.run(at: url, by: Client()) }
        }
        await #expect(throws: ClientError.self) { try await anna.waitForLines(1) }
        let bert = ChatClient("bert")
        await #expect(throws: ChatFailure.silence) { try await bert.waitForLines(1, atMost: .milliseconds(20)) }
    }

    @Test func `terminals are not obeyed`() {
        let line = ChatLine(
            number: 1,
            id: UUID(),
            author: "b\u{1B}]0;x\u{7}ert",
            text: "hi\r\nanna: \u{202E}no\u{9B}2J \u{1F44D}"
        )
        #expect(line.shown == "b]0;xert: hianna: no2J \u{1F44D}")
    }
}
