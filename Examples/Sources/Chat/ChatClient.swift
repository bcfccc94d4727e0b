// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// One person in the chat, over any number of connections.
///
/// The person receives each line of the other people once, in the server's order. The client sends each line of the person again
/// until the server has it. Both are true even if the server restarts: the client tells the server which line it received last, and
/// each line has an id.
actor ChatClient {
    enum Happening: Equatable, Sendable {
        case online
        case offline(attempt: Int)
        /// The server has another room than before, and sends all lines of that room.
        case elsewhere
        case heard(ChatLine)
    }

    private struct Unheard {
        let id: UUID
        let text: String
        var isSent = false
    }

    let name: String
    private let notice: @Sendable (Happening) -> Void
    private var socket: WebSocket?
    /// The person's lines that the server has not sent back yet, in order.
    private var unheard: [Unheard] = []
    private var isSending = false
    private var room: UUID?
    /// The lines received from the room, in order.
    private(set) var lines: [ChatLine] = []
    /// The error that ended this person's chat.
    private var end: (any Error)?

    init(_ name: String, _ notice: @escaping @Sendable (Happening) -> Void = { _ in }) {
        self.name = name
        self.notice = notice
    }

    var isHeard: Bool { self.unheard.isEmpty }

    /// Takes part in the chat until the task is cancelled, or until the client gives up reconnecting.
    ///
    /// - Throws: The error that ended the chat; always, because the method never returns.
    func run(at url: URL, by client: Client, policy: ReconnectionPolicy = ReconnectionPolicy()) async throws {
        do {
            try await self.follow(url, client, policy)
        } catch {
            self.end = error
            throw error
        }
    }

    private func follow(_ url: URL, _ client: Client, _ policy: ReconnectionPolicy) async throws {
        // This closure runs first on each new WebSocket.
        let events = client.reconnectingWebSocket(from: url, policy: policy) { socket throws(ClientError) in
            try await socket.send(await self.greeting)
        }
        for try await event in events {
            switch event {
            case .connected(let socket), .reconnected(let socket):
                self.notice(.online)
                self.socket = socket
                // The server may have received some of these lines. Send all of them again: the server recognizes them
                // by their ids.
                for index in self.unheard.indices { self.unheard[index].isSent = false }
                await self.sendUnheard()
            case .message(.text(let text)):
                switch ChatReply(json: text) {
                case .welcome(let room, let after)?: self.enter(room, after)
                case .line(let line)?: self.hear(line)
                case nil: break
                }
            case .message(.binary): break
            case .disconnected(let disconnection, let attempt):
                self.socket = nil
                // The sequence makes no further attempt and ends.
                if disconnection.retryDelay == nil {
                    throw disconnection.error ?? ChatFailure.dismissed(disconnection.closeCode)
                }
                self.notice(.offline(attempt: attempt))
            }
        }
        throw CancellationError()
    }

    /// Sends a line now, or as soon as the client is connected again; throws for a line that the server would refuse.
    func say(_ text: String) async throws(ChatFailure) {
        let byteCount = text.utf8.count
        guard byteCount <= ChatLine.maximumTextByteCount else { throw .tooLong(byteCount: byteCount) }
        self.unheard.append(Unheard(id: UUID(), text: text))
        await self.sendUnheard()
    }

    /// Waits until `count` lines have arrived; throws the error that ended the chat, or ``ChatFailure/silence`` after the limit.
    func waitForLines(_ count: Int, atMost limit: Duration = .seconds(30)) async throws {
        let start = ContinuousClock.now
        while self.lines.count < count {
            if let end { throw end }
            guard start.duration(to: .now) < limit else { throw ChatFailure.silence }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private var greeting: String {
        ChatRequest.join(name: self.name, room: self.room, after: self.lines.last?.number ?? 0).json
    }

    /// Handles the server's first message: its room, and the line after which it continues.
    private func enter(_ room: UUID, _ after: Int) {
        let isOther = self.room.map { $0 != room } ?? false
        self.room = room
        self.lines.removeAll { $0.number > after }
        if isOther { self.notice(.elsewhere) }
    }

    private func hear(_ line: ChatLine) {
        // The server has this line, so do not send it again.
        self.unheard.removeAll { $0.id == line.id }
        guard line.number > self.lines.last?.number ?? 0 else { return }
        self.lines.append(line)
        self.notice(.heard(line))
    }

    /// Sends the lines that were not sent on this connection, one after another to keep their order.
    private func sendUnheard() async {
        guard !self.isSending else { return }
        self.isSending = true
        defer { self.isSending = false }
        while let socket = self.socket, let index = self.unheard.firstIndex(where: { !$0.isSent }) {
            self.unheard[index].isSent = true
            let request = ChatRequest.say(id: self.unheard[index].id, text: self.unheard[index].text)
            do throws(ClientError) {
                try await socket.send(request.json)
            } catch {
                // Sending failed, so the client sends the line again on the next connection, which may be open already.
                if self.socket === socket { self.socket = nil }
            }
        }
    }
}
