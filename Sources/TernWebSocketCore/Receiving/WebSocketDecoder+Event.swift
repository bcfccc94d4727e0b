// SPDX-License-Identifier: Apache-2.0

extension WebSocketDecoder {
    /// What was decoded; places are inside the input of the same call.
    public enum Event: Equatable, Sendable {
        /// A whole message that lies in the input as it is; text is valid UTF-8.
        case message(MessageKind, Range<Int>)
        /// A part of a message that does not lie in the input as a whole.
        ///
        /// Empty only if it is final. All parts of a text together are valid UTF-8; each so far can still become it.
        case part(MessageKind, Range<Int>, isFinal: Bool)
        /// A part of a compressed message, whose bytes were appended to the output of the same call.
        ///
        /// Without bytes only if it is final. Text is valid as with ``part(_:_:isFinal:)``.
        case inflated(MessageKind, byteCount: Int, isFinal: Bool)
        /// A ping, to be answered by a pong with the same bytes (RFC 6455 §5.5.3).
        case ping(Range<Int>)
        /// A pong.
        case pong(Range<Int>)
        /// The peer's Close frame; `nil` if it has no code. Nothing is decoded after it.
        case close(CloseCode?, reason: String)
    }

    /// The outcome of one call.
    public struct Step: Equatable, Sendable {
        /// How many bytes, from the front of the input, are done with, once the event's are.
        public var consumedByteCount: Int
        /// What was decoded; `nil`, unless ``needsOutput``, means that more input is needed.
        public var event: Event?
        /// Whether the output is full: call again with room, before more input is awaited.
        public var needsOutput: Bool

        /// Creates the outcome of a call.
        public init(consumedByteCount: Int, event: Event? = nil, needsOutput: Bool = false) {
            (self.consumedByteCount, self.event, self.needsOutput) = (consumedByteCount, event, needsOutput)
        }
    }
}
