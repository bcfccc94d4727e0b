// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernFoundation
import TernWebSocketCore

/// The messages that were decoded since the reader last handed messages to the queue.
struct MessageBatch {
    /// The result of decoding.
    struct Progress {
        /// The number of bytes to drop from the front of the input: those of the decoded messages.
        var consumedByteCount = 0
        /// Whether the last decoded message was compressed; `nil` if no message was decoded.
        var wasCompressed: Bool?
        /// The first step that is not a whole message, for the bytes after the decoded messages; `nil` if the batch is
        /// full.
        var step: WebSocketDecoder.Step?
    }

    /// The weight at which the reader hands the batch to the queue.
    private static let weightLimit = 256 << 10

    /// The items, oldest first.
    private(set) var items = Deque<MessageQueue.Item>()
    /// The sum of the items' weights.
    private(set) var weight = 0

    /// Whether the reader must hand the batch to the queue before it decodes more.
    var isFull: Bool { self.weight >= Self.weightLimit }

    /// Appends an item.
    mutating func add(_ item: MessageQueue.Item) {
        self.weight += item.weight
        self.items.append(item)
    }

    /// Moves the items to the queue, and returns whether the queue has room for more.
    mutating func move(to queue: MessageQueue) -> Bool {
        defer { self.weight = 0 }
        return queue.put(&self.items, weight: self.weight)
    }

    /// Decodes from the front of the input, and adds the whole messages.
    ///
    /// A buffer checks for exclusive access each time that its bytes are used. For a short message, these checks were a
    /// fifth of the work, so this method uses the bytes once for all messages that have arrived.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that have arrived.
    ///   - decoder: The decoder.
    ///   - output: The room for inflated bytes. Afterwards, it contains those that belong to the returned step.
    ///   - takesMessages: Whether to add whole messages. Otherwise, this method returns the first step.
    /// - Returns: The length of the decoded messages, and the step after them.
    /// - Throws: The rule that the server broke. The messages before the violation are in the batch.
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
    /// Creates a message from bytes.
    ///
    /// The decoder must have validated the bytes of a text message as UTF-8.
    init(_ kind: MessageKind, _ bytes: RawSpan) {
        switch kind {
        case .text: self = .text(bytes.withUnsafeBytes { String(validated: $0) })
        case .binary: self = .binary(bytes.withUnsafeBytes { Data($0) })
        }
    }
}
