// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOWebSocket
import Synchronization

/// Who is on the live channel: what one says, all hear.
final class LiveRoom: Sendable {
    /// How much was said, and how many bytes it took.
    struct Traffic: Equatable, Sendable {
        var messageCount = 0
        /// Bytes of text.
        var textByteCount = 0
        /// Bytes of frames, without what masks them.
        var wireByteCount = 0
    }

    private final class Member {
        let channel: any Channel
        var codec: LiveCodec

        init(_ channel: any Channel, _ codec: consuming LiveCodec) {
            self.channel = channel
            self.codec = codec
        }
    }

    private struct State {
        var members: [String: Member] = [:]
        var likes = 41
        var traffic = Traffic()
    }

    private let state = Mutex(State())

    /// What was said so far, in both directions.
    var traffic: Traffic { self.state.withLock { $0.traffic } }

    /// Somebody comes, and is greeted.
    func enter(_ name: String, _ channel: any Channel, isCompressed: Bool) throws {
        try self.state.withLock { state in
            let member = Member(channel, try LiveCodec(isCompressed: isCompressed))
            state.members[name] = member
            let event = LiveEvent(.welcome, by: "server", likes: state.likes)
            try Self.send(event, to: member, &state.traffic)
        }
    }

    /// Somebody is gone.
    func leave(_ name: String) { self.state.withLock { _ = $0.members.removeValue(forKey: name) } }

    /// Somebody says something.
    ///
    /// - Returns: whether they want to leave.
    func received(_ frame: WebSocketFrame, from name: String) throws -> Bool {
        try self.state.withLock { state in
            guard let member = state.members[name] else { return true }
            let text = try member.codec.text(frame)
            state.traffic.add(text, frame)
            var event = try LiveEvent(text)
            if event.kind == .goodnight { return true }
            if event.kind == .like { state.likes += 1 }
            event.likes = state.likes
            for member in state.members.values { try Self.send(event, to: member, &state.traffic) }
            return false
        }
    }

    private static func send(_ event: LiveEvent, to member: Member, _ traffic: inout Traffic) throws {
        let text = event.json
        let frame = try member.codec.frame(text)
        traffic.add(text, frame)
        member.channel.writeAndFlush(frame, promise: nil)
    }
}

extension LiveRoom.Traffic {
    fileprivate mutating func add(_ text: String, _ frame: WebSocketFrame) {
        self.messageCount += 1
        self.textByteCount += text.utf8.count
        self.wireByteCount += (frame.length < 126 ? 2 : 4) + frame.length
    }
}
