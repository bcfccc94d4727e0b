// SPDX-License-Identifier: Apache-2.0

/// Decodes the bytes that a server sends into messages (RFC 6455 §5 and §6.2, RFC 7692 §7.2.2).
///
/// It has no socket, clock or buffer. The driver keeps the bytes, passes in those not consumed yet, and learns where in
/// them the messages are. Equal bytes give equal messages, however they were split; only the parts differ.
///
/// ```swift
/// var decoder = WebSocketDecoder(deflate: accepted.deflate)
/// while true {
///     let step = try decoder.next(buffer.bytes, inflatingInto: &output)
///     if let event = step.event { handle(event) }  // slice it before the buffer is moved
///     buffer.removeFirst(step.consumedByteCount)
///     if step.needsOutput { makeRoom(in: &output) }
///     if step.event == nil, !step.needsOutput { try await buffer.fill(atLeast: decoder.expectedByteCount) }
/// }
/// ```
///
/// Long frames are delivered in parts as they arrive; only control frames, of at most 125 bytes, must be complete.
public struct WebSocketDecoder: ~Copyable, Sendable {
    enum State: Sendable {
        /// Between two frames. Exits: `payload`, `closed`.
        case frameStart
        /// Inside a data frame, of which `remaining` bytes are missing; 0 only while inflated bytes may be pending.
        /// Exit: `frameStart`.
        case payload(remaining: Int, isFinal: Bool)
        /// A Close frame arrived; everything after it is ignored.
        case closed
        /// A rule was broken; every call throws. All states but `closed` lead here.
        case failed(WebSocketViolation)
    }

    /// A message whose first frame has arrived, but not its last byte.
    struct Message: Sendable {
        var kind: MessageKind
        var isCompressed: Bool
        /// The number of bytes that have arrived or are announced; for a compressed message, the number of inflated
        /// bytes.
        var byteCount = 0
    }

    var state = State.frameStart
    var message: Message?
    var text = UTF8Validator()
    /// Created for the first compressed message, so that a connection without one stays small.
    var inflater: MessageInflater?
    var hasInflater = false
    /// Whether the inflater may have more output.
    var hasPendingOutput = false
    /// The number of bytes missing to complete the next header or control frame.
    var missingByteCount = 2
    let deflate: PerMessageDeflate.Agreement?
    let limits: Limits
    /// The longest payload of frames that the fast path handles.
    private let shortByteCount: Int

    /// Creates a decoder at the start of a connection.
    ///
    /// - Parameters:
    ///   - deflate: The negotiated compression; `nil` if messages must not be compressed. Defaults to `nil`.
    ///   - limits: The limits for messages and frames. Defaults to `Limits()`.
    public init(deflate: PerMessageDeflate.Agreement? = nil, limits: Limits = Limits()) {
        (self.deflate, self.limits) = (deflate, limits)
        self.shortByteCount = min(125, limits.maximumFrameByteCount, limits.maximumMessageByteCount)
    }

    /// The number of further bytes that can be awaited without delaying an event for long; at least 1.
    ///
    /// This is the rest of a header or a control frame, or the rest of a data frame's payload, so that a connection can
    /// gather it and wake its reader once.
    public var expectedByteCount: Int {
        switch self.state {
        case .frameStart: self.missingByteCount
        case .payload(let remaining, _): max(1, remaining)
        case .closed, .failed: 1
        }
    }

    /// Decodes one event from the front of the input.
    ///
    /// Call it until it returns no event and needs no output.
    ///
    /// - Parameters:
    ///   - input: All bytes received and not consumed yet, from the front.
    ///   - output: The span to inflate to. It is not used, and may have no room, unless a message is compressed.
    /// - Returns: The event, and the number of bytes to drop, which may be more than 0 even without an event.
    /// - Throws: The rule that was broken. Once it has thrown a violation, each later call throws the same one.
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

    /// The fast path for the most common case, a whole message in one short frame; `nil` in any other case.
    @inline(__always)
    private mutating func nextShort(_ input: RawSpan) -> Step? {
        guard case .frameStart = self.state, self.message == nil, input.byteCount >= 2 else { return nil }
        let (first, length) = (input.byte(at: 0), Int(input.byte(at: 1)))
        guard first == 0x81 || first == 0x82, length <= self.shortByteCount else { return nil }
        let end = 2 + length
        guard end <= input.byteCount else { return nil }
        if first == 0x81 {
            var text = UTF8Validator()
            // The slow path finds the violation again and reports it.
            guard text.validate(input.extracting(2..<end)), text.isComplete else { return nil }
            self.missingByteCount = 2
            return Step(consumedByteCount: end, event: .message(.text, 2..<end))
        }
        self.missingByteCount = 2
        return Step(consumedByteCount: end, event: .message(.binary, 2..<end))
    }

    /// Tells the decoder that the peer closed its side, after all received bytes were passed in.
    ///
    /// This method is only for users of this module: Tern's own driver asks `ClosingStateMachine` instead, which also
    /// knows what was sent.
    ///
    /// - Throws: ``WebSocketViolation/endedWithoutClose`` if no Close frame had arrived, or the violation that was
    ///   thrown before.
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
    /// An event.
    ///
    /// Its ranges refer to the input of the same call.
    @nonexhaustive
    public enum Event: Equatable, Sendable {
        /// A whole message that lies unchanged in the input; text is valid UTF-8.
        case message(MessageKind, Range<Int>)
        /// A part of a message, if the message does not lie in the input as a whole.
        ///
        /// Empty only if it is final. All parts of a text message together are valid UTF-8; the parts so far are the
        /// beginning of a valid text.
        case part(MessageKind, Range<Int>, isFinal: Bool)
        /// A part of a compressed message, whose bytes were appended to the output of the same call.
        ///
        /// Empty only if it is final. Text is valid as with ``part(_:_:isFinal:)``.
        case inflated(MessageKind, byteCount: Int, isFinal: Bool)
        /// A ping, which must be answered by a pong with the same bytes (RFC 6455 §5.5.3).
        case ping(Range<Int>)
        /// A pong.
        case pong(Range<Int>)
        /// The peer's Close frame; the code is `nil` if the frame has none. Nothing is decoded after it.
        case close(CloseCode?, reason: String)
    }

    /// The result of one call.
    public struct Step: Equatable, Sendable {
        /// The number of bytes, from the front of the input, to drop once the event has been handled.
        public var consumedByteCount: Int
        /// The event; `nil` means that more input is needed, unless ``needsOutput`` is true.
        public var event: Event?
        /// Whether the output is full: call again with more room before reading more input.
        public var needsOutput: Bool

        /// Creates a result.
        package init(consumedByteCount: Int, event: Event? = nil, needsOutput: Bool = false) {
            (self.consumedByteCount, self.event, self.needsOutput) = (consumedByteCount, event, needsOutput)
        }
    }
}

extension WebSocketDecoder {
    /// Limits, so that a server cannot fill the memory (RFC 6455 §10.4).
    public struct Limits: Hashable, Sendable {
        /// The maximum length of a message, in bytes; for a compressed message, the inflated length.
        ///
        /// Defaults to 16 MiB.
        ///
        /// The limit is enforced while a message arrives, not after. Precedents: URLSession and websockets for Python 1
        /// MiB, aiohttp 4 MiB, tungstenite 64 MiB, ws for Node.js 100 MiB.
        public var maximumMessageByteCount: Int = 16 << 20

        /// The maximum length of one data frame's payload, in bytes on the wire.
        ///
        /// Defaults to 16 MiB.
        ///
        /// The decoder does not collect whole frames, so a higher limit costs no memory. The limit ends a connection
        /// early when the peer's frames are out of step, and a length is read from the wrong place. Precedent:
        /// tungstenite 16 MiB.
        public var maximumFrameByteCount: Int = 16 << 20

        /// Creates the default limits.
        ///
        /// Set properties to change them.
        public init() {}
    }
}
