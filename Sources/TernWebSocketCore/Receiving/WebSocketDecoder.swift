// SPDX-License-Identifier: Apache-2.0

/// Decodes the bytes that a server sends into messages (RFC 6455 §5 and §6.2, RFC 7692 §7.2.2).
///
/// The caller keeps the received bytes, and passes in those that the decoder has not consumed yet. The decoder returns ranges of
/// these bytes: a message as a whole if it is one frame that arrived at once, otherwise in parts, and a ping or pong when it is
/// complete. It inflates compressed messages into the output.
///
/// ```swift
/// var decoder = WebSocketDecoder(deflate: accepted.deflate)
/// while true {
///     let step = try decoder.next(buffer.bytes, inflatingInto: &output)
///     if let event = step.event { handle(event) }  // use its ranges before they move
///     buffer.removeFirst(step.consumedByteCount)
///     if step.needsOutput { makeRoom(in: &output) }
///     if step.event == nil, !step.needsOutput {
///         try await buffer.fill(atLeast: decoder.expectedByteCount)
///     }
/// }
/// ```
public struct WebSocketDecoder: ~Copyable, Sendable {
    enum State: Sendable {
        /// Before the end of a frame header or of a control frame.
        case frameStart
        /// Inside a data frame; `remaining` may be 0 in a compressed message, while output is left.
        case payload(remaining: Int, isFinal: Bool)
        /// A Close frame arrived; the bytes after it are ignored.
        case closed
        /// The decoder has failed; each call of `next` or `finish` throws the violation.
        case failed(WebSocketViolation)
    }

    struct Message: Sendable {
        var kind: MessageKind
        var isCompressed: Bool
        var byteCount = 0
    }

    var state = State.frameStart
    var message: Message?
    var text = UTF8Validator()
    var inflater: MessageInflater?
    var hasInflater = false
    var hasPendingOutput = false
    var missingByteCount = 2
    let deflate: PerMessageDeflate.Agreement?
    let limits: Limits
    private let shortByteCount: Int

    /// Creates a decoder at the start of a connection, by default without compression.
    public init(deflate: PerMessageDeflate.Agreement? = nil, limits: Limits = Limits()) {
        let limits = limits.usable
        (self.deflate, self.limits) = (deflate, limits)
        self.shortByteCount = min(125, limits.maximumFrameByteCount, limits.maximumMessageByteCount)
    }

    /// The number of bytes, at least 1, to wait for when a step has no event, and ``Step/needsOutput`` is `false`.
    public var expectedByteCount: Int {
        switch self.state {
        case .frameStart: self.missingByteCount
        case .payload(let remaining, _): max(1, remaining)
        case .closed, .failed: 1
        }
    }

    /// Decodes one event from the front of the input; call again until the step has no event, and ``Step/needsOutput`` is `false`.
    ///
    /// - Parameters:
    ///   - input: All bytes that were received and are not consumed yet, in order.
    ///   - output: The span to which the decoder appends the inflated bytes of compressed messages.
    /// - Returns: The event, and the number of bytes to drop, which may be more than 0 even without an event.
    /// - Throws: ``WebSocketViolation``. Each later call throws the same violation.
    /// - Complexity: O(*n*) in the bytes of input and output over all calls.
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

    /// Decodes a whole message in one short frame, the most common case, on a fast path; `nil` in any other case.
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

    /// Tells the decoder, after the last received bytes, that the peer ended the connection; throws unless a Close frame arrived.
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
    /// An event; its ranges refer to the input of the call of `next` that returned it.
    @nonexhaustive
    public enum Event: Equatable, Sendable {
        /// A whole uncompressed message, with the range of its bytes, which are valid UTF-8 in a text message.
        case message(MessageKind, Range<Int>)
        /// A part of an uncompressed message that is split into frames, or did not arrive at once.
        ///
        /// Only the final part can be empty. A part of a text message is valid so far, but may end within a character.
        case part(MessageKind, Range<Int>, isFinal: Bool)
        /// A compressed message, or a part of it, whose inflated bytes the call has appended to the output. Otherwise like `part`.
        case inflated(MessageKind, byteCount: Int, isFinal: Bool)
        /// A ping, whose answer is a pong with the same payload (RFC 6455 §5.5.3).
        case ping(Range<Int>)
        /// A pong.
        case pong(Range<Int>)
        /// The peer's Close frame, perhaps without a code; the decoder ignores all bytes after it.
        case close(CloseCode?, reason: String)
    }

    /// The result of one call of ``WebSocketDecoder/next(_:inflatingInto:)``.
    public struct Step: Equatable, Sendable {
        /// The number of bytes to drop from the front of the input, after the event was handled.
        public var consumedByteCount: Int
        /// The event; without one, the decoder needs more input or room (``needsOutput``), unless it has decoded a Close frame.
        public var event: Event?
        /// Whether to call again with more room in the output before reading more input.
        public var needsOutput: Bool

        package init(consumedByteCount: Int, event: Event? = nil, needsOutput: Bool = false) {
            (self.consumedByteCount, self.event, self.needsOutput) = (consumedByteCount, event, needsOutput)
        }
    }
}

extension WebSocketDecoder {
    /// The limits of a decoder, so that a server cannot fill the memory (RFC 6455 §10.4).
    public struct Limits: Hashable, Sendable {
        /// The maximum length of a message, in bytes after inflating; by default 16 MiB, enforced while a message arrives.
        public var maximumMessageByteCount: Int = 16 << 20

        /// The maximum length of one data frame's payload, in bytes on the wire; by default 16 MiB.
        ///
        /// Beyond it, the decoder throws ``WebSocketViolation/frameTooLong(limit:)``. ``WebSocketDecoder/expectedByteCount`` may be
        /// as high as this limit.
        public var maximumFrameByteCount: Int = 16 << 20

        /// Creates the default limits.
        public init() {}

        /// The limits with values with which a decoder can compute, because a server must not be able to cause a trap.
        var usable: Limits {
            var limits = self
            limits.maximumMessageByteCount = max(0, self.maximumMessageByteCount)
            limits.maximumFrameByteCount = max(0, self.maximumFrameByteCount)
            return limits
        }
    }
}
