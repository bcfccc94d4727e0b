// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore

extension MessageDeflater {
    /// Returns the compressed bytes of a message or of its next part, with limited room for each call.
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

/// Returns the result of a decoder for compressed binary messages, each in one frame.
func inflated(_ payloads: [[UInt8]], _ agreement: PerMessageDeflate.Agreement, room: Int = 4096) throws -> [[UInt8]] {
    var decoder = WebSocketDecoder(deflate: agreement)
    var messages: [[UInt8]] = []
    for payload in payloads { messages += try decoder.messages(in: serverFrame(0xC2, payload), room: room) }
    return messages
}
