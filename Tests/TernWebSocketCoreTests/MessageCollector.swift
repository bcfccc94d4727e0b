// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore

/// A small driver of a decoder, which keeps unread bytes and joins the parts of messages.
struct MessageCollector {
    private var buffer: [UInt8] = []
    private var message: [UInt8] = []

    /// Returns the messages that these bytes complete.
    ///
    /// `room` is the number of bytes to inflate at a time.
    mutating func read(
        _ bytes: ArraySlice<UInt8>,
        _ decoder: inout WebSocketDecoder,
        room: Int
    ) throws -> [[UInt8]] {
        self.buffer += bytes
        var messages: [[UInt8]] = []
        while true {
            var step = WebSocketDecoder.Step(consumedByteCount: 0)
            let output = try appending(byteCount: room) { output in
                step = try decoder.next(ContiguousArray(self.buffer).span.bytes, inflatingInto: &output)
            }
            var isFinal = false
            switch step.event {
            case .message(_, let range): (self.message, isFinal) = (Array(self.buffer[range]), true)
            case .part(_, let range, let isLast): (self.message, isFinal) = (self.message + self.buffer[range], isLast)
            case .inflated(_, _, let isLast): (self.message, isFinal) = (self.message + output, isLast)
            case .ping, .pong, .close: break
            case nil: break
            }
            self.buffer.removeFirst(step.consumedByteCount)
            if step.event == nil, !step.needsOutput { return messages }
            guard isFinal else { continue }
            messages.append(self.message)
            self.message = []
        }
    }
}

extension WebSocketDecoder {
    /// Returns all messages in bytes that arrive in one piece.
    mutating func messages(in bytes: [UInt8], room: Int) throws -> [[UInt8]] {
        var collector = MessageCollector()
        return try collector.read(bytes[...], &self, room: room)
    }
}

/// Returns a frame like a server writes it.
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
