// SPDX-License-Identifier: Apache-2.0
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
        let room = try ChatRoom()
        let id = UUID()
        for _ in 0..<2 { try room.say("hello", id: id, by: "anna") }
        try room.say("hello", id: UUID(), by: "anna")
        #expect(room.lines.map(\.number) == [1, 2])
    }

    @Test func `who comes back hears what was said meanwhile`() async throws {
        let room = try ChatRoom()
        for text in ["one", "two", "three"] { try room.say(text, id: UUID(), by: "anna") }
        let (member, lines) = room.join(after: 1)
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
}
