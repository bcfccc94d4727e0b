// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import Chat

struct ChatLogTests {
    private struct DiskFull: Error {}

    private static func withFile(_ body: (URL) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).log")
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file)
    }

    @Test func `a line that was written half-way leaves nothing`() throws {
        try Self.withFile { file in
            let isFull = Mutex(false)
            let room = try ChatRoom(file: file) { handle, data in
                guard isFull.withLock({ $0 }) else { return try handle.write(contentsOf: data) }
                try handle.write(contentsOf: data.prefix(data.count / 2))
                throw DiskFull()
            }
            try room.say("one", id: UUID(), by: "anna")
            isFull.withLock { $0 = true }
            let id = UUID()
            #expect(throws: DiskFull.self) { try room.say("two", id: id, by: "anna") }
            #expect(room.lines.map(\.text) == ["one"])
            isFull.withLock { $0 = false }
            try room.say("two", id: id, by: "anna")
            #expect(try ChatRoom(file: file).lines == room.lines)
            #expect(room.lines.map(\.text) == ["one", "two"])
        }
    }

    @Test func `a room keeps its id, wherever its log was torn`() throws {
        try Self.withFile { file in
            let room = try ChatRoom(file: file)
            try room.say("one", id: UUID(), by: "anna")
            let whole = try Data(contentsOf: file)
            let head = try #require(whole.firstIndex(of: UInt8(ascii: "\n"))) + 1
            for length in 0..<whole.count {
                try whole.prefix(length).write(to: file)
                let torn = try ChatRoom(file: file)
                #expect((torn.id == room.id) == (length >= head))
                #expect(torn.lines.isEmpty)
                try torn.say("two", id: UUID(), by: "anna")
                #expect(try ChatRoom(file: file).lines == torn.lines)
            }
        }
    }

    @Test(arguments: [
        ("a letter", 1), ("a letter\n", 1), ("{}", 1), ("{\"room\":1}\n", 1), ("\n", 1),
        ("{\"room\":\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"}\nwhat\n", 2),
        (
            "{\"room\":\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"}\n"
                + "{\"number\":2,\"id\":\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\",\"author\":\"a\",\"text\":\"\"}\n", 2
        ),
    ])
    func `what is no log is left alone`(_ text: String, _ number: Int) throws {
        try Self.withFile { file in
            try Data(text.utf8).write(to: file)
            let error = #expect(throws: ChatLog.Unreadable.self) { try ChatRoom(file: file) }
            #expect(error?.number == number)
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }
}
