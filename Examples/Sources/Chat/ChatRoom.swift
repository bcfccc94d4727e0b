// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The lines of the chat, and its members; the lines survive a restart of the server and, with a file, of the process.
final class ChatRoom: Sendable {
    /// The number of lines that may wait for a member who does not read, before the room disconnects them.
    private static let patience = 1000

    private struct State {
        var lines: [ChatLine] = []
        var knownIDs: Set<UUID> = []
        var members: [Int: AsyncStream<ChatLine>.Continuation] = [:]
        var lastMember = 0
        var log: ChatLog?
    }

    /// The id of the room, with which line numbers are valid.
    let id: UUID
    private let state = Mutex(State())

    init() { self.id = UUID() }

    /// Creates a room that keeps its lines in a file.
    init(file: URL, writingWith write: @escaping ChatLog.Writing = { try $0.write(contentsOf: $1) }) throws {
        let (log, lines) = try ChatLog.open(file, writingWith: write)
        self.id = log.room
        self.state.withLock { state in
            state.lines = lines
            state.knownIDs = Set(lines.map(\.id))
            state.log = log
        }
    }

    var lines: [ChatLine] { self.state.withLock { $0.lines } }

    /// Adds a member, who receives all lines after the last line that they know, and then each new line.
    ///
    /// - Parameters:
    ///   - number: The number of the last line that the member knows; 0 if they know none.
    ///   - room: The id of the room of that line.
    /// - Returns: The member's id, the lines, and the number of the last line before them.
    func join(after number: Int, of room: UUID?) -> (member: Int, after: Int, lines: AsyncStream<ChatLine>) {
        self.state.withLock { state in
            let after = room == self.id && 0...state.lines.count ~= number ? number : 0
            let missed = state.lines.dropFirst(after)
            let (stream, continuation) = AsyncStream.makeStream(
                of: ChatLine.self,
                bufferingPolicy: .bufferingOldest(missed.count + Self.patience)
            )
            for line in missed { continuation.yield(line) }
            state.lastMember += 1
            state.members[state.lastMember] = continuation
            return (state.lastMember, after, stream)
        }
    }

    func leave(_ member: Int) { self.state.withLock { $0.members.removeValue(forKey: member) }?.finish() }

    /// Stores a line and sends it to all members, unless the room already has a line with this id.
    func say(_ text: String, id: UUID, by author: String) throws {
        try self.state.withLock { state in
            guard !state.knownIDs.contains(id) else { return }
            let line = ChatLine(number: state.lines.count + 1, id: id, author: author, text: text)
            try state.log?.append(line.json)
            state.lines.append(line)
            state.knownIDs.insert(id)
            for (member, lines) in state.members {
                guard case .dropped = lines.yield(line) else { continue }
                lines.finish()
                state.members[member] = nil
            }
        }
    }
}
