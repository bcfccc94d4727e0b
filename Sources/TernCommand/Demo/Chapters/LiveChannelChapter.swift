// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation

/// Exchanges compressed comments and likes over WebSockets, in both directions.
struct LiveChannelChapter: DemoChapter {
    let title = "A live channel for comments and likes"

    static let comments = [
        "What a good boy! Is that the beach at the lighthouse, the one with the flat stones?",
        "He looks as if the beach at the lighthouse belonged to him, stones and all.",
        "I know that look. Biscuit is waiting for somebody to throw one of the flat stones.",
    ]

    func play(on stage: DemoStage) async throws {
        let ann = try await self.open("Ann", stage)
        let ben = try await self.open("Ben", stage)
        try stage.expect(ann.compression != nil, "compression is negotiated")
        let subprotocol = ann.subprotocol ?? "none"
        try await stage.say("Ann and Ben are connected: subprotocol \(subprotocol), compressed by permessage-deflate")

        let likes = Task { try await self.likeAll(ben) }
        try await self.comment(ann, stage)

        let traffic = stage.server.room.traffic
        let (text, wire) = (traffic.textByteCount, traffic.wireByteCount)
        try await stage.say("\(traffic.messageCount) messages: \(text) bytes of text took \(wire) bytes on the wire")
        try stage.expect(wire < text * 6 / 10, "compression saves at least 40 %")

        let roundTrip = try await ann.ping()
        try await stage.say("a ping was answered after \(NumberFormat.time(roundTrip))")

        try await self.leave(ann, stage)
        try await self.cancel(ben, likes, stage)
    }

    private func open(_ name: String, _ stage: DemoStage) async throws -> WebSocket {
        let options = WebSocketOptions(subprotocols: [LiveListener.subprotocol])
        let socket = try await stage.client.webSocket(from: stage.server.liveURL(name), options: options)
        try stage.expect(try await self.next(.welcome, on: socket).likes == 41, "the server greets \(name)")
        return socket
    }

    private func next(_ kind: LiveEvent.Kind, on socket: WebSocket) async throws -> LiveEvent {
        for try await message in socket {
            let event = try LiveEvent(message)
            if event.kind == kind { return event }
        }
        throw DemoFailure("an event of the kind \(kind) arrives")
    }

    @concurrent
    private func likeAll(_ socket: WebSocket) async throws -> Int {
        var count = 0
        for try await message in socket where try LiveEvent(message).kind == .comment {
            try await socket.send(LiveEvent(.like, by: "Ben").json)
            count += 1
        }
        return count
    }

    private func comment(_ ann: WebSocket, _ stage: DemoStage) async throws {
        for (index, text) in Self.comments.enumerated() {
            try await ann.send(LiveEvent(.comment, by: "Ann", text: text).json)
            let comment = try await self.next(.comment, on: ann)
            try stage.expect(comment.text == text, "a comment comes back unchanged")
            let like = try await self.next(.like, on: ann)
            try stage.expect(like.author == "Ben" && like.likes == 42 + index, "Ben likes it")
            try await stage.say("Ann: \"\(text)\" Ben likes it: \(like.likes ?? 0)")
        }
    }

    private func leave(_ ann: WebSocket, _ stage: DemoStage) async throws {
        try await ann.send(LiveEvent(.goodnight, by: "Ann").json)
        for try await _ in ann {}
        let code = ann.closeCode?.rawValue ?? 0
        try stage.expect(code == 1000, "the server closes with 1000")
        let reason = ann.closeReason ?? ""
        try await stage.say("the server closed Ann's WebSocket with \(code), \"\(reason)\"; her loop ended")
    }

    /// Closes Ben's WebSocket on this side, while a task waits for messages.
    private func cancel(_ ben: WebSocket, _ likes: Task<Int, any Error>, _ stage: DemoStage) async throws {
        let start = ContinuousClock.now
        ben.cancel()
        let count = try await likes.value
        let time = ContinuousClock.now - start
        try stage.expect(count == Self.comments.count, "Ben read every comment")
        let isTold = try await stage.server.journal.waits(for: .left("Ben", code: 1001))
        try stage.expect(isTold, "the server receives 1001")
        let duration = NumberFormat.time(time)
        try await stage.say("Ben's WebSocket was cancelled: his loop ended after \(duration); the server got 1001")
    }
}

/// A message on the live channel of a photo, as JSON in a text message.
struct LiveEvent: Codable, Equatable, Sendable {
    enum Kind: String, Codable, Sendable {
        case welcome
        case comment
        case like
        case goodnight
    }

    var kind: Kind
    var author: String
    var text: String?
    var likes: Int?

    init(_ kind: Kind, by author: String, text: String? = nil, likes: Int? = nil) {
        self.kind = kind
        self.author = author
        self.text = text
        self.likes = likes
    }

    init(_ text: String) throws { self = try JSONDecoder().decode(LiveEvent.self, from: Data(text.utf8)) }

    var json: String { JSONLine.encode(self) }
}

extension LiveEvent {
    init(_ message: WebSocketMessage) throws {
        guard case .text(let text) = message else { throw DemoFailure("events are text messages") }
        try self.init(text)
    }
}
