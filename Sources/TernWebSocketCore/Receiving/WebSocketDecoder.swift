// SPDX-License-Identifier: Apache-2.0

/// Decodes the bytes that a server sends into messages (RFC 6455 §5 and §6.2, RFC 7692 §7.2.2).
///
/// The decoder has no socket, clock or buffer. The caller keeps the received bytes, and passes in the bytes that the
/// decoder has not consumed yet. The decoder returns the ranges of the messages in these bytes. The same bytes always
/// give the same messages; only the parts of a message depend on how the bytes were split.
///
/// ```swift
/// var decoder = WebSocketDecoder(deflate: accepted.deflate)
/// while true {
///     let step = try decoder.next(buffer.bytes, inflatingInto: &output)
///     if let event = step.event { handle(event) }  // use its ranges before the buffer changes
///     buffer.removeFirst(step.consumedByteCount)
///     if step.needsOutput { makeRoom(in: &output) }
///     if step.event == nil, !step.needsOutput { try await buffer.fill(atLeast: decoder.expectedByteCount) }
/// }
/// ```
///
/// The decoder delivers long frames in parts as they arrive. A control frame, of at most 125 bytes, is delivered when
/// it is complete.
public struct WebSocketDecoder: ~Copyable, Sendable {
    enum State: Sendable {
        /// Before the end of a frame header or of a control frame. Exits: `payload`, `closed`.
        case frameStart
        /// Inside a data frame, of which `remaining` bytes are missing. `remaining` is 0 while the inflater may still
        /// have output. Exit: `frameStart`.
        case payload(remaining: Int, isFinal: Bool)
        /// A Close frame arrived. The decoder ignores all bytes after the frame.
        case closed
        /// The peer broke a rule, and every call throws the violation. All states but `closed` lead here.
        case failed(WebSocketViolation)
    }

    /// A message whose first frame has begun to arrive, and whose last byte is still missing.
    struct Message: Sendable {
        var kind: MessageKind
        var isCompressed: Bool
        /// The length of the message so far, with the announced rest of the current frame.
        ///
        /// For a compressed message, the number of inflated bytes so far.
        var byteCount = 0
    }

    var state = State.frameStart
    var message: Message?
    var text = UTF8Validator()
    /// The inflater is created for the first compressed message, so that a connection without such messages needs no
    /// memory for it.
    var inflater: MessageInflater?
    var hasInflater = false
    /// Whether the inflater may have more output.
    var hasPendingOutput = false
    /// The number of bytes that are missing from the next header or control frame.
    var missingByteCount = 2
    let deflate: PerMessageDeflate.Agreement?
    let limits: Limits
    /// The length of the longest payload that ``nextShort(_:)`` handles.
    private let shortByteCount: Int

    /// Creates a decoder at the start of a connection.
    ///
    /// - Parameters:
    ///   - deflate: The negotiated compression. Defaults to `nil`: messages must not be compressed.
    ///   - limits: The limits for messages and frames. Defaults to `Limits()`.
    public init(deflate: PerMessageDeflate.Agreement? = nil, limits: Limits = Limits()) {
        (self.deflate, self.limits) = (deflate, limits)
        self.shortByteCount = min(125, limits.maximumFrameByteCount, limits.maximumMessageByteCount)
    }

    /// The number of bytes that should arrive before the next call; at least 1.
    ///
    /// These are the bytes missing from a header or a control frame, or from the payload of a data frame. A connection
    /// can gather this many bytes and wake its reader once, instead of for every few bytes.
    public var expectedByteCount: Int {
        switch self.state {
        case .frameStart: self.missingByteCount
        case .payload(let remaining, _): max(1, remaining)
        case .closed, .failed: 1
        }
    }

    /// Decodes one event from the front of the input.
    ///
    /// Call this method again until the step has no event and ``Step/needsOutput`` is `false`.
    ///
    /// - Parameters:
    ///   - input: All bytes that were received and are not consumed yet, in order.
    ///   - output: The span to which the decoder appends the inflated bytes of compressed messages. For other messages,
    ///     the span needs no room.
    /// - Returns: The event, and the number of bytes to drop, which may be more than 0 even without an event.
    /// - Throws: The rule that the peer broke. Each later call throws the same violation.
    /// - Complexity: O(*n*) in the bytes of input and output over all calls. Allocates only for the first compressed
    ///   message.
    public mutating func next(
        _ input: RawSpan,
        inflatingInto output: inout OutputRawSpan
    ) throws(WebSocketViolation) -> Step {
        if let step = self.nextShort(input) { return step }
        do throws(WebSocketViolation) {
            return try self.advance(input, &output)
        } catch {
            self.state = .failed(error)
            throw error
        }
    }

    /// Decodes a whole message in one short frame, the most common case, on a fast path.
    ///
    /// Returns `nil` in any other case.
    @inline(__always)
    private mutating func nextShort(_ input: RawSpan) -> Step? {
        guard case .frameStart = self.state, self.message == nil, input.byteCount >= 2 else { return nil }
        let (first, length) = (input.byte(at: 0), Int(input.byte(at: 1)))
        guard first == 0x81 || first == 0x82, length <= self.shortByteCount else { return nil }
        let end = 2 + length
        guard end <= input.byteCount else { return nil }
        if first == 0x81 {
            var text = UTF8Validator()
            // For invalid text, return `nil`: the slow path finds the violation again and reports it.
            guard text.validate(input.extracting(2..<end)), text.isComplete else { return nil }
            self.missingByteCount = 2
            return Step(consumedByteCount: end, event: .message(.text, 2..<end))
        }
        self.missingByteCount = 2
        return Step(consumedByteCount: end, event: .message(.binary, 2..<end))
    }

    /// Tells the decoder that the peer ended the connection.
    ///
    /// Call this method after the last received bytes were decoded.
    ///
    /// This method is for users of this module. Tern's own driver asks `ClosingStateMachine` instead, which also knows
    /// whether this side sent a Close frame.
    ///
    /// - Throws: ``WebSocketViolation/endedWithoutClose`` if no Close frame arrived before. If
    ///   ``next(_:inflatingInto:)`` threw a violation before, throws the same violation.
    public mutating func finish() throws(WebSocketViolation) {
        switch self.state {
        case .closed: return
        case .failed(let violation): throw violation
        case .frameStart, .payload:
            self.state = .failed(.endedWithoutClose)
            throw .endedWithoutClose
        }
    }
}

extension WebSocketDecoder {
    /// An event that the decoder has found in the input.
    ///
    /// The ranges of an event refer to the input of the call of `next` that returned the event.
    @nonexhaustive
    public enum Event: Equatable, Sendable {
        /// A whole message, whose bytes are this range of the input. The bytes of a text message are valid UTF-8.
        case message(MessageKind, Range<Int>)
        /// A part of a message that is split into frames, or has not arrived as a whole.
        ///
        /// Only the final part can be empty. In a text message, the bytes so far are valid UTF-8, but a part may end
        /// within a character.
        case part(MessageKind, Range<Int>, isFinal: Bool)
        /// A part of a compressed message. The call of `next` that returned the event has appended the inflated bytes
        /// of the part to the output.
        ///
        /// Only the final part can be empty. In a text message, the bytes so far are valid UTF-8, but a part may end
        /// within a character.
        case inflated(MessageKind, byteCount: Int, isFinal: Bool)
        /// A ping. This side must answer it with a pong that has the same payload (RFC 6455 §5.5.3).
        case ping(Range<Int>)
        /// A pong.
        case pong(Range<Int>)
        /// The peer's Close frame. The code is `nil` if the frame has no code. The decoder ignores all bytes after the
        /// frame.
        case close(CloseCode?, reason: String)
    }

    /// The result of one call of ``WebSocketDecoder/next(_:inflatingInto:)``.
    public struct Step: Equatable, Sendable {
        /// The number of bytes to drop from the front of the input, after the event was handled.
        public var consumedByteCount: Int
        /// The event, or `nil` if there is none.
        ///
        /// Without an event, the decoder needs more input, or more room if ``needsOutput`` is `true`.
        public var event: Event?
        /// Whether the output is full: call again with more room before reading more input.
        public var needsOutput: Bool

        /// Creates the result of one call.
        package init(consumedByteCount: Int, event: Event? = nil, needsOutput: Bool = false) {
            (self.consumedByteCount, self.event, self.needsOutput) = (consumedByteCount, event, needsOutput)
        }
    }
}

extension WebSocketDecoder {
    /// The limits of a decoder, so that a server cannot fill the memory (RFC 6455 §10.4).
    public struct Limits: Hashable, Sendable {
        /// The maximum length of a message, in bytes; for a compressed message, the inflated length.
        ///
        /// Defaults to 16 MiB.
        ///
        /// The limit is enforced while a message arrives. For comparison: URLSession and websockets for Python accept 1
        /// MiB, aiohttp 4 MiB, tungstenite 64 MiB, and ws for Node.js 100 MiB.
        public var maximumMessageByteCount: Int = 16 << 20

        /// The maximum length of one data frame's payload, in bytes on the wire.
        ///
        /// Defaults to 16 MiB.
        ///
        /// The decoder does not collect whole frames, so a higher limit costs no memory. The limit detects a peer that
        /// writes wrong frame lengths: after a wrong length, the decoder reads bytes of a payload as a header, which
        /// often announces a huge length. For comparison: tungstenite accepts 16 MiB.
        public var maximumFrameByteCount: Int = 16 << 20

        /// Creates the default limits.
        ///
        /// Set properties to change the limits.
        public init() {}
    }
}
