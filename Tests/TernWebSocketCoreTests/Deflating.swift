// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore

extension MessageDeflater {
    /// What comes of a message, or of its next part, with so much room at a time.
    mutating func compressed(_ message: [UInt8], isFinal: Bool = true, room: Int = 1 << 16) throws -> [UInt8] {
        var (bytes, rest) = ([UInt8](), message[...])
        while true {
            var progress = Progress(consumedByteCount: 0, isComplete: false)
            bytes += try appending(byteCount: room) { output in
                progress = try self.compress(rest.span.bytes, isFinal: isFinal, into: &output)
            }
            rest = rest.dropFirst(progress.consumedByteCount)
            if progress.isComplete { return bytes }
        }
    }
}

/// What a decoder makes of compressed binary messages, each in one frame.
func inflated(_ payloads: [[UInt8]], _ agreement: PerMessageDeflate.Agreement, room: Int = 4096) throws -> [[UInt8]] {
    var decoder = WebSocketDecoder(deflate: agreement)
    var messages: [[UInt8]] = []
    for payload in payloads { messages += try decoder.messages(in: serverFrame(0xC2, payload), room: room) }
    return messages
}

/// One frame as a server writes it.
func serverFrame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    let length =
        switch count {
        case ...125: [UInt8(count)]
        case ...0xFFFF: [126, UInt8(count >> 8), UInt8(count & 0xFF)]
        default: [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        }
    return [first] + length + payload
}

extension WebSocketDecoder {
    /// All messages that lie in the bytes as a whole.
    mutating func messages(in bytes: [UInt8], room: Int) throws -> [[UInt8]] {
        var (messages, message, rest) = ([[UInt8]](), [UInt8](), bytes[...])
        while true {
            var step = Step(consumedByteCount: 0)
            let output = try appending(byteCount: room) { output in
                step = try self.next(rest.span.bytes, inflatingInto: &output)
            }
            switch step.event {
            case .message(_, let range): messages.append(Array(rest.dropFirst(range.lowerBound).prefix(range.count)))
            case .part(_, let range, let isFinal):
                message += rest.dropFirst(range.lowerBound).prefix(range.count)
                if isFinal { messages.append(message) }
                if isFinal { message = [] }
            case .inflated(_, _, let isFinal):
                message += output
                if isFinal { messages.append(message) }
                if isFinal { message = [] }
            case .ping, .pong, .close: break
            case nil: if !step.needsOutput { return messages }
            }
            rest = rest.dropFirst(step.consumedByteCount)
        }
    }
}
