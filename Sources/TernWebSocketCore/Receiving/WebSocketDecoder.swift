// SPDX-License-Identifier: Apache-2.0

/// Turns the bytes that a server sends into messages (RFC 6455 §5 and §6.2, RFC 7692 §7.2.2).
///
/// Holds no socket, clock or buffer: the driver keeps the bytes, presents those not consumed yet, and gets back where in
/// them the messages are. Equal bytes give equal messages, however they were split; only parts are cut differently.
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
/// Long frames are given in parts as they arrive; only control frames, of 125 bytes at most, are awaited as a whole.
public struct WebSocketDecoder: ~Copyable, Sendable {
    enum State: Sendable {
        /// Between two frames. Exits: `payload`, `closed`.
        case frameStart
        /// Inside a data frame, `remaining` bytes of which are to come; 0 only while inflated bytes may be owed.
        /// Exit: `frameStart`.
        case payload(remaining: Int, isFinal: Bool)
        /// A Close frame came; all that follows is ignored.
        case closed
        /// A rule was broken; every call throws. All states but `closed` lead here.
        case failed(WebSocketViolation)
    }

    /// A message whose first frame has come, but not its last byte.
    struct Message: Sendable {
        var kind: MessageKind
        var isCompressed: Bool
        /// How many bytes of it have come, or are announced; of a compressed one, how many were inflated.
        var byteCount = 0
    }

    var state = State.frameStart
    var message: Message?
    var text = UTF8Validator()
    /// Made for the first compressed message, so that a connection without any stays small.
    var inflater: MessageInflater?
    var hasInflater = false
    /// Whether the inflater may have more to write.
    var owesOutput = false
    /// How many bytes are missing to the header, or the control frame, that comes next.
    var missingByteCount = 2
    let deflate: PerMessageDeflate.Agreement?
    let limits: Limits
    /// The longest payload of the frames that the short way takes.
    private let shortByteCount: Int

    /// Creates a decoder at the start of a connection.
    ///
    /// - Parameters:
    ///   - deflate: how messages may be compressed; `nil`, the default, if they must not be.
    ///   - limits: how much is accepted.
    public init(deflate: PerMessageDeflate.Agreement? = nil, limits: Limits = Limits()) {
        (self.deflate, self.limits) = (deflate, limits)
        self.shortByteCount = min(125, limits.maximumFrameByteCount, limits.maximumMessageByteCount)
    }

    /// How many bytes more, behind those presented, can be awaited without delaying an event for long; at least 1.
    ///
    /// What is missing of a header or a control frame, or what is left to come of the payload of a data frame, so that a
    /// connection can gather it and wake its reader once.
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
    ///   - input: all bytes received and not consumed yet, from the front.
    ///   - output: where to inflate to; untouched if no message is compressed, and may then have no room.
    /// - Returns: what was decoded and how many bytes to drop; without an event these may be more than 0, too.
    /// - Throws: the rule that was broken; once it throws, it always throws the same.
    /// - Complexity: O(*n*) in the bytes of input and output over all calls; no allocation, but for the first compressed
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

    /// The short way for what comes most, a whole message in one short frame; `nil` if it is anything else.
    @inline(__always)
    private mutating func nextShort(_ input: RawSpan) -> Step? {
        guard case .frameStart = self.state, self.message == nil, input.byteCount >= 2 else { return nil }
        let (first, length) = (input.byte(at: 0), Int(input.byte(at: 1)))
        guard first == 0x81 || first == 0x82, length <= self.shortByteCount else { return nil }
        let end = 2 + length
        guard end <= input.byteCount else { return nil }
        if first == 0x81 {
            var text = UTF8Validator()
            // What is wrong is found again, and reported, on the long way.
            guard text.validate(input.extracting(2..<end)), text.isComplete else { return nil }
            self.missingByteCount = 2
            return Step(consumedByteCount: end, event: .message(.text, 2..<end))
        }
        self.missingByteCount = 2
        return Step(consumedByteCount: end, event: .message(.binary, 2..<end))
    }

    /// The peer closed its side, and all that it sent was presented.
    ///
    /// For users of the core alone: Tern's own driver asks `ClosingStateMachine` instead, which knows what was sent, too.
    ///
    /// - Throws: ``WebSocketViolation/endedWithoutClose`` if no Close frame had come, or what was thrown before.
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
    /// What was decoded; places are inside the input of the same call.
    @nonexhaustive
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
        package init(consumedByteCount: Int, event: Event? = nil, needsOutput: Bool = false) {
            (self.consumedByteCount, self.event, self.needsOutput) = (consumedByteCount, event, needsOutput)
        }
    }
}

extension WebSocketDecoder {
    /// How much is accepted, so that a server cannot fill memory (RFC 6455 §10.4).
    public struct Limits: Hashable, Sendable {
        /// The longest message, in bytes; of a compressed one what it inflates to; 16 MiB by default.
        ///
        /// Kept while a message comes, not after. Precedents: URLSession and websockets for Python 1 MiB, aiohttp 4 MiB,
        /// tungstenite 64 MiB, ws for Node.js 100 MiB.
        public var maximumMessageByteCount: Int = 16 << 20

        /// The longest payload of one data frame, in bytes as they are on the wire; 16 MiB by default.
        ///
        /// Frames are not gathered, so this costs no memory; it ends a connection early whose peer is out of step.
        /// Precedent: tungstenite 16 MiB.
        public var maximumFrameByteCount: Int = 16 << 20

        /// Creates the default limits; change what must differ.
        public init() {}
    }
}
