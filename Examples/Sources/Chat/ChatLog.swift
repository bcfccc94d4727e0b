// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file that stores the lines of a room: the room's id, then each line of the chat, as lines of JSON.
struct ChatLog {
    /// Appends bytes to a file; if it throws, it may have written a part of them.
    typealias Writing = @Sendable (FileHandle, Data) throws -> Void

    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let number: Int
        var description: String { "\(self.path) is not the log of a chat, or is damaged: see its line \(self.number)." }
    }

    private struct Head: Codable {
        var room: UUID
    }

    let room: UUID
    private let handle: FileHandle
    private let write: Writing
    /// The number of bytes of the complete lines in the file.
    private var byteCount: UInt64
    /// Whether the file may have bytes after the complete lines.
    private var isTorn = false

    /// Opens the log, or creates it; throws ``Unreadable``, or an error of the file system.
    static func open(
        _ file: URL,
        writingWith write: @escaping Writing = { try $0.write(contentsOf: $1) }
    ) throws -> (log: ChatLog, lines: [ChatLine]) {
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        // If the process ended while it wrote the last line, that line is incomplete. No member received it, so remove
        // it.
        let data = try Data(contentsOf: file)
        let whole = data.prefix(upTo: data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? data.startIndex)
        let texts = String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init)
        // If the file is not a log, leave it unchanged.
        let head = texts.first.flatMap { Head(json: $0) }
        guard head != nil || Self.isTornHead(data) else { throw Unreadable(path: file.path, number: 1) }
        var lines: [ChatLine] = []
        for (index, text) in texts.enumerated().dropFirst() {
            guard let line = ChatLine(json: text), line.number == index else {
                throw Unreadable(path: file.path, number: index + 1)
            }
            lines.append(line)
        }
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(whole.count))
        let room = head?.room ?? UUID()
        var log = ChatLog(room: room, handle: handle, write: write, byteCount: UInt64(whole.count))
        if head == nil { try log.append(Head(room: room).json) }
        return (log, lines)
    }

    private static func isTornHead(_ data: Data) -> Bool {
        let example = Data(Head(room: UUID()).json.utf8)
        let beginning = example.prefix { $0 != UInt8(ascii: ":") }
        guard data.count <= example.count, !data.contains(UInt8(ascii: "\n")) else { return false }
        return data.starts(with: beginning) || beginning.starts(with: data)
    }

    private init(room: UUID, handle: FileHandle, write: @escaping Writing, byteCount: UInt64) {
        (self.room, self.handle, self.write, self.byteCount) = (room, handle, write, byteCount)
    }

    /// Stores a line; after an error, no part of it stays in the file.
    mutating func append(_ json: String) throws {
        if self.isTorn { try self.mend() }
        let data = Data("\(json)\n".utf8)
        do {
            try self.write(self.handle, data)
        } catch {
            // If the disk is full, the file may have half of the line. The next line must not follow that half.
            self.isTorn = true
            try? self.mend()
            throw error
        }
        self.byteCount += UInt64(data.count)
    }

    private mutating func mend() throws {
        try self.handle.truncate(atOffset: self.byteCount)
        self.isTorn = false
    }
}
