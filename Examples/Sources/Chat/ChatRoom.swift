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
        var log: FileHandle?
    }

    private let state = Mutex(State())

    /// Opens a room.
    ///
    /// - Parameter file: keeps the lines; a room without one forgets them with the process.
    /// - Throws: why the file cannot be used.
    init(file: URL? = nil) throws {
        guard let file else { return }
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        // A line that was torn when the process ended was told to nobody, and goes.
        let data = try Data(contentsOf: file)
        let whole = data.prefix(upTo: data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? data.startIndex)
        let texts = String(decoding: whole, as: UTF8.self).split(separator: "\n")
        let lines = texts.compactMap { ChatLine(json: String($0)) }
        guard lines.count == texts.count else { throw CocoaError(.fileReadCorruptFile) }
        let log = try FileHandle(forWritingTo: file)
        try log.truncate(atOffset: UInt64(whole.count))
        try log.seekToEnd()
        self.state.withLock { state in
            state.lines = lines
            state.knownIDs = Set(lines.map(\.id))
            state.log = log
        }
    }

    /// All that was said.
    var lines: [ChatLine] { self.state.withLock { $0.lines } }

    /// Somebody comes, and hears all lines after one, then each as it is said.
    func join(after number: Int) -> (member: Int, lines: AsyncStream<ChatLine>) {
        self.state.withLock { state in
            let missed = state.lines.dropFirst(max(0, number))
            let (stream, continuation) = AsyncStream.makeStream(
                of: ChatLine.self,
                bufferingPolicy: .bufferingOldest(missed.count + Self.patience)
            )
            for line in missed { continuation.yield(line) }
            state.lastMember += 1
            state.members[state.lastMember] = continuation
            return (state.lastMember, stream)
        }
    }

    /// Somebody is gone.
    func leave(_ member: Int) { self.state.withLock { $0.members.removeValue(forKey: member) }?.finish() }

    /// Keeps a line, and then tells everybody; one that is known already is kept and told no second time.
    func say(_ text: String, id: UUID, by author: String) throws {
        try self.state.withLock { state in
            guard !state.knownIDs.contains(id) else { return }
            let line = ChatLine(number: state.lines.count + 1, id: id, author: author, text: text)
            try state.log?.write(contentsOf: Data("\(line.json)\n".utf8))
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
