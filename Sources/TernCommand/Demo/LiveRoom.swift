// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOWebSocket
import Synchronization
import Tern
import TernCompression
import TernWebSocketCore

/// The members of the demo's live channel; the server sends each message of a member to all members.
final class LiveRoom: Sendable {
    struct Traffic: Equatable, Sendable {
        var messageCount = 0
        var textByteCount = 0
        /// Bytes of frames, without masking keys.
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

    var traffic: Traffic { self.state.withLock { $0.traffic } }

    func enter(_ name: String, _ channel: any Channel, isCompressed: Bool) throws {
        try self.state.withLock { state in
            let member = Member(channel, try LiveCodec(isCompressed: isCompressed))
            state.members[name] = member
            let event = LiveEvent(.welcome, by: "server", likes: state.likes)
            try Self.send(event, to: member, &state.traffic)
        }
    }

    func leave(_ name: String) { self.state.withLock { _ = $0.members.removeValue(forKey: name) } }

    /// Returns whether the member wants to leave.
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

/// Encodes text as WebSocket frames of a server, and decodes those of a client, perhaps with permessage-deflate (RFC 7692).
///
/// Both directions keep their context: a message that resembles an earlier one needs few bytes. The demo's messages are short, so
/// each is one frame.
struct LiveCodec: ~Copyable {
    struct Failure: Error {}

    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private let isCompressed: Bool
    private var deflater = MessageDeflater(PerMessageDeflate.Agreement())
    private var inflater: Inflater

    init(isCompressed: Bool) throws {
        self.isCompressed = isCompressed
        self.inflater = try Inflater(.raw)
    }

    mutating func frame(_ text: String) throws -> WebSocketFrame {
        let plain = ByteBuffer(string: text)
        guard self.isCompressed else { return WebSocketFrame(fin: true, opcode: .text, data: plain) }
        var output = ByteBuffer()
        var taken = 0
        while try !Self.compress(plain, &taken, &self.deflater, into: &output) {}
        return WebSocketFrame(fin: true, rsv1: true, opcode: .text, data: output)
    }

    mutating func text(_ frame: WebSocketFrame) throws -> String {
        guard frame.fin, frame.opcode == .text else { throw Failure() }
        guard frame.rsv1 else { return String(buffer: frame.unmaskedData) }
        // RFC 7692 §7.2.2: append the four bytes that the sender removed.
        var input = frame.unmaskedData
        input.writeBytes(Self.tail)
        var output = ByteBuffer()
        while try Self.inflate(&input, &self.inflater, into: &output) == .needsOutput {}
        return String(buffer: output)
    }

    private static func compress(
        _ plain: ByteBuffer,
        _ taken: inout Int,
        _ deflater: inout MessageDeflater,
        into output: inout ByteBuffer
    ) throws -> Bool {
        var isComplete = false
        try output.writeWithOutputRawSpan(minimumWritableBytes: 1 << 10) { span in
            let rest = plain.readableBytesSpan.extracting(droppingFirst: taken)
            let progress = try deflater.compress(rest, isFinal: true, into: &span)
            taken += progress.consumedByteCount
            isComplete = progress.isComplete
        }
        return isComplete
    }

    private static func inflate(
        _ input: inout ByteBuffer,
        _ inflater: inout Inflater,
        into output: inout ByteBuffer
    ) throws -> Inflater.Status {
        var progress = Inflater.Progress(consumedByteCount: 0, status: .needsInput)
        let bytes = input
        try output.writeWithOutputRawSpan(minimumWritableBytes: 1 << 10) { span in
            progress = try inflater.inflate(bytes.readableBytesSpan, into: &span)
        }
        input.moveReaderIndex(forwardBy: progress.consumedByteCount)
        return progress.status
    }
}
