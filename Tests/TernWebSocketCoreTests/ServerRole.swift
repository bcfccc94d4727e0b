// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport

/// A server that reads the frames of one message, and checks only the rules for clients.
struct ServerReader {
    /// The rule for clients that a frame breaks.
    enum Fault: Error {
        case notMasked
        case incomplete
        case wrongOpcode
        case wrongBits
    }

    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// Returns the unmasked payload of all frames.
    func payload(isCompressed: Bool) throws -> [UInt8] {
        var (rest, payload, isFirst) = (self.bytes, [UInt8](), true)
        while true {
            let header = try Self.take(2, &rest)
            guard header[0] & 0x0F == (isFirst ? 0x2 : 0x0) else { throw Fault.wrongOpcode }
            guard header[0] & 0x70 == (isFirst && isCompressed ? 0x40 : 0) else { throw Fault.wrongBits }
            guard header[1] & 0x80 != 0 else { throw Fault.notMasked }
            let length = Int(header[1] & 0x7F)
            let more = length < 126 ? [] : try Self.take(length == 126 ? 2 : 8, &rest)
            let count = more.isEmpty ? length : more.reduce(0) { $0 << 8 | Int($1) }
            let key = try Self.take(4, &rest)
            payload += try Self.take(count, &rest).enumerated().map { $1 ^ key[$0 % 4] }
            isFirst = false
            guard header[0] & 0x80 == 0 else { break }
        }
        guard rest.isEmpty else { throw Fault.incomplete }
        return payload
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
        guard rest.count >= count else { throw Fault.incomplete }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}

/// Returns a payload in up to four pieces, some of them empty.
private func cut(_ payload: [UInt8], _ generator: inout SeededGenerator) -> [ArraySlice<UInt8>] {
    var (pieces, rest) = ([ArraySlice<UInt8>](), payload[...])
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let count = Int.random(in: 0...rest.count, using: &generator)
        pieces.append(rest.prefix(count))
        rest = rest.dropFirst(count)
    }
    return pieces + [rest]
}

/// Returns a binary message like a client writes it, in a few fragments.
func clientFrames(_ payload: [UInt8], compressed: Bool, _ generator: inout SeededGenerator) -> [UInt8] {
    let pieces = cut(payload, &generator)
    var bytes: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
        let count = FrameEncoder.headerByteCount(payloadByteCount: piece.count) + piece.count
        let key = MaskingKey.random(using: &generator)
        bytes += appending(byteCount: count) { output in
            FrameEncoder.encode(
                index == 0 ? .binary : .continuation,
                isFinal: index == pieces.count - 1,
                isCompressed: compressed && index == 0,
                payload: piece.span.bytes,
                key: key,
                into: &output
            )
        }
    }
    return bytes
}

/// Returns a binary message like a server writes it, in a few fragments with pings between them.
func serverFrames(_ payload: [UInt8], compressed: Bool, _ generator: inout SeededGenerator) -> [UInt8] {
    let pieces = cut(payload, &generator)
    var bytes: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
        let opcode: UInt8 = index > 0 ? 0x00 : compressed ? 0x42 : 0x02
        bytes += serverFrame(opcode | (index == pieces.count - 1 ? 0x80 : 0), Array(piece))
        if Bool.random(using: &generator) { bytes += serverFrame(0x89, [1, 2, 3]) }
    }
    return bytes
}

extension WebSocketDecoder {
    /// Returns all messages in bytes that arrive in pieces of random sizes.
    ///
    /// The next piece follows the unread bytes.
    mutating func messages(in bytes: [UInt8], splitUsing generator: inout SeededGenerator) throws -> [[UInt8]] {
        var (messages, collector, received) = ([[UInt8]](), MessageCollector(), 0)
        let most = bytes.count < 1000 && Bool.random(using: &generator) ? 20 : 5000
        while received < bytes.count {
            let count = min(Int.random(in: 1...most, using: &generator), bytes.count - received)
            messages += try collector.read(bytes[received..<received + count], &self, room: 300)
            received += count
        }
        return messages
    }
}
