// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernFoundation
import TernWebSocketCore

/// The messages that were decoded since the reader last handed messages to the queue.
struct MessageBatch {
    struct Progress {
        /// The bytes of the decoded messages, to drop from the front of the input.
        var consumedByteCount = 0
        /// Whether the last decoded message was compressed; `nil` if no message was decoded.
        var wasCompressed: Bool?
        var step: WebSocketDecoder.Step?
    }

    private static let weightLimit = 256 << 10

    private(set) var items = Deque<MessageQueue.Item>()
    private(set) var weight = 0

    var isFull: Bool { self.weight >= Self.weightLimit }

    mutating func add(_ item: MessageQueue.Item) {
        self.weight += item.weight
        self.items.append(item)
    }

    mutating func move(to queue: MessageQueue) -> Bool {
        defer { self.weight = 0 }
        return queue.put(&self.items, weight: self.weight)
    }

    /// Adds the whole messages at the front of the input, if asked to, and returns the step after them.
    mutating func decode(
        _ bytes: borrowing ByteBuffer,
        by decoder: inout WebSocketDecoder,
        inflatingInto output: inout OutputRawSpan,
        takesMessages: Bool
    ) throws(WebSocketViolation) -> Progress {
        let input = bytes.readableBytesSpan
        var progress = Progress()
        while !self.isFull {
            let rest = input.extracting(droppingFirst: progress.consumedByteCount)
            let step = try decoder.next(rest, inflatingInto: &output)
            switch step.event {
            case .message(let kind, let range)? where takesMessages:
                self.add(.message(WebSocketMessage(kind, rest.extracting(range))))
                progress.wasCompressed = false
            case .inflated(let kind, let byteCount, isFinal: true)?
            where takesMessages && byteCount == output.byteCount:
                self.add(.message(WebSocketMessage(kind, output.bytes)))
                output.removeLast(byteCount)
                progress.wasCompressed = true
            default:
                progress.step = step
                return progress
            }
            progress.consumedByteCount += step.consumedByteCount
        }
        return progress
    }
}

extension WebSocketMessage {
    /// Creates a message from bytes, which the decoder has validated as UTF-8 if they are text.
    init(_ kind: MessageKind, _ bytes: RawSpan) {
        switch kind {
        case .text: self = .text(bytes.withUnsafeBytes { String(validated: $0) })
        case .binary: self = .binary(bytes.withUnsafeBytes { Data($0) })
        }
    }
}
