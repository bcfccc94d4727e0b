// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// What was said, and who listens.
///
/// It outlives the server, and with a file the process as well: that is why nothing is lost.
final class ChatRoom: Sendable {
    /// How many lines wait for a member who does not read, before they are sent away; they may come back for the rest.
    private static let patience = 1000

    private struct State {
        var lines: [ChatLine] = []
        var knownIDs: Set<UUID> = []
        var members: [Int: AsyncStream<ChatLine>.Continuation] = [:]
        var lastMember = 0
        var log: ChatLog?
    }

    /// Which room this is: the numbers of another's lines mean nothing here.
    let id: UUID
    private let state = Mutex(State())

    /// Opens a room that forgets its lines with the process.
    init() { self.id = UUID() }

    /// Opens a room whose lines are in a file.
    ///
    /// - Throws: why the file cannot be used.
    init(file: URL, writingWith write: @escaping ChatLog.Writing = { try $0.write(contentsOf: $1) }) throws {
        let (log, lines) = try ChatLog.open(file, writingWith: write)
        self.id = log.room
        self.state.withLock { state in
            state.lines = lines
            state.knownIDs = Set(lines.map(\.id))
            state.log = log
        }
    }

    /// All that was said.
    var lines: [ChatLine] { self.state.withLock { $0.lines } }

    /// A member comes, and hears all lines after the last that they have heard here, then each as it is said.
    ///
    /// - Parameters:
    ///   - number: the last line that they have heard; 0 for none.
    ///   - room: in which room that was.
    /// - Returns: who they are now, after which line they hear, and the lines.
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

    /// A member is gone.
    func leave(_ member: Int) { self.state.withLock { $0.members.removeValue(forKey: member) }?.finish() }

    /// Keeps a line, and then tells everybody; one that is known already is kept and told no second time.
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
