// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
@_spi(CrossModuleInlining) public import TernFields

/// Decodes the bytes of one HTTP/1.1 response into events (RFC 9112).
///
/// The caller keeps the received bytes, and passes in those that are not consumed yet. The same bytes produce the same events,
/// however the network split them, except that the body may come in other parts.
///
/// ```swift
/// var decoder = ResponseDecoder(method: .get)
/// while !decoder.isComplete {
///     let step = try decoder.next(buffer.bytes)
///     if let event = step.event { handle(event) }  // slice a body before it moves
///     buffer.removeFirst(step.consumedByteCount)
///     if step.event == nil {
///         try await buffer.fill(atLeast: decoder.expectedByteCount)
///     }
/// }
/// ```
///
/// When the server has closed its side, call ``finish()``, which also reports the end of a body that ends with the connection.
///
/// In heads and trailers, the decoder accepts a few deviations, as browsers and curl do. Lines may end with LF alone (§2.2). White
/// space may precede a colon (§5.1), and values may be folded (§5.2) or contain control characters other than NUL and CR, except in
/// a field that determines the end of the body. The decoder drops a `Content-Length` that a `Transfer-Encoding` overrides (§6.3),
/// and a field whose name is not a token (§5.1), unless it throws ``HTTP1Violation/invalidFieldName``. In a head, `Content-Length`
/// may repeat its value, and `Transfer-Encoding` may repeat `chunked` without another coding. A response with any of these
/// deviations is the last one on its connection, because other recipients may disagree on where it ends. The lines of chunk framing
/// must end with CRLF, but blanks, or almost any text after `;`, may follow a size. A status code may end its line without a space.
public struct ResponseDecoder: Sendable {
    /// A decoded event.
    @nonexhaustive
    public enum Event: Equatable, Sendable {
        /// An interim response (1xx), except a 101 that accepts an upgrade. Another head must follow.
        case informational(ResponseHead)
        /// The head of the final response, or of a 101 that accepts an upgrade.
        case head(ResponseHead)
        /// The range of body bytes within the input of the same call, never empty.
        case body(Range<Int>)
        /// The end of the response, with its trailers; `nil` if there are none.
        ///
        /// The decoder drops some trailers that only a head may contain, such as `Content-Length` (RFC 9110 §6.5.1).
        case end(trailers: FieldSection?)
    }

    /// The result of one call of ``next(_:)``.
    public struct Step: Equatable, Sendable {
        /// The number of bytes consumed from the front of the input.
        public var consumedByteCount: Int
        /// The event; `nil` means that more input is needed, or that the response is complete.
        public var event: Event?
    }

    enum State: Sendable {
        /// Waiting for the end of a head. Exits: `head` after an interim head, `counted`, `untilClose`, `chunkLine`, `ending`.
        case head
        /// Inside a body of `expected` bytes, of which `remaining` (more than 0) are missing. Exit: `ending`.
        case counted(remaining: Int64, expected: Int64)
        /// Inside a body that ends with the connection. Exit: `complete`, by ``finish()``.
        case untilClose
        /// Waiting for the end of a chunk's first line. Exits: `chunkData`, `trailers`.
        case chunkLine(searchedByteCount: Int)
        /// Inside the data of a chunk, of which `remaining` (more than 0) bytes are missing. Exit: `chunkEnd`.
        case chunkData(remaining: Int64)
        /// Waiting for the CRLF after a chunk's data. Exit: `chunkLine`.
        case chunkEnd
        /// Waiting for the end of the trailer section. Exit: `complete`.
        case trailers
        /// The whole response was read, but its end was not reported yet. Exit: `complete`.
        case ending
        /// The end was reported, and the decoder reads nothing more.
        case complete
        /// The response broke a rule; each later call throws. All states but `untilClose`, `ending` and `complete` may lead here.
        case failed(HTTP1Violation)
    }

    var state = State.head
    // The results of the scan are stored outside the state, because the state is copied at each step.
    private var headScan = HeadScan()
    var trailerScan = FieldScan()
    var chunkFraming = ChunkFraming()
    private var informationalCount = 0
    private var hadIrregularHead = false
    var keepsAlive = false
    private let kind: RequestKind
    private let allowsUpgrade: Bool
    let limits: HTTP1Limits

    /// Creates a decoder for the response to one request.
    ///
    /// - Parameters:
    ///   - method: The request's method. A response to HEAD has no body, and a 2xx to CONNECT starts a tunnel.
    ///   - allowsUpgrade: Whether the request offered another protocol, so that a 101 in HTTP/1.1 is not a violation.
    ///   - limits: The limits for everything except the data of the body.
    public init(method: HTTPRequest.Method, allowsUpgrade: Bool = false, limits: HTTP1Limits = HTTP1Limits()) {
        self.kind = RequestKind(method)
        self.allowsUpgrade = allowsUpgrade
        self.limits = limits.usable
    }

    /// Whether the end of the response was reported; bytes that are not consumed then do not belong to the response.
    public var isComplete: Bool {
        if case .complete = self.state { true } else { false }
    }

    /// Whether the response is complete and lets the connection carry another request (RFC 9112 §9.3).
    public var isReusable: Bool { self.isComplete && self.keepsAlive }

    /// The number of bytes still to decode of a chunk's data or of a body of known length; 1 in other states.
    ///
    /// A reader that waits for so many bytes, or for a full buffer, wakes up less often.
    public var expectedByteCount: Int {
        switch self.state {
        case .counted(let remaining, _), .chunkData(let remaining): Int(clamping: remaining)
        default: 1
        }
    }

    /// Decodes one event from the front of the input; call it until it returns no event, even with empty input.
    ///
    /// - Parameter input: All bytes that were received, but are not consumed yet.
    /// - Returns: The event, and the number of bytes to drop, which may be more than 0 even without an event.
    /// - Throws: The rule that was broken; each later call throws the same violation.
    /// - Complexity: O(*n*) for all calls together, where *n* is the number of bytes of the response.
    public mutating func next(_ input: RawSpan) throws(HTTP1Violation) -> Step {
        do throws(HTTP1Violation) {
            return try input.withUnsafeBytes { (bytes) throws(HTTP1Violation) in try self.advance(ByteView(bytes)) }
        } catch {
            self.state = .failed(error)
            throw error
        }
    }

    /// Tells the decoder that the server closed its side, after all received bytes were passed to ``next(_:)``.
    ///
    /// - Returns: The end of the response; `nil` if the end was reported before.
    /// - Throws: The violation if a part of the response is missing, or that of an earlier call.
    public mutating func finish() throws(HTTP1Violation) -> Event? {
        let violation: HTTP1Violation
        switch self.state {
        case .complete: return nil
        case .untilClose, .ending:
            self.state = .complete
            return .end(trailers: nil)
        case .head:
            violation = self.headScan.hasBegun || self.informationalCount > 0 ? .truncatedHead : .closedBeforeResponse
        case .counted(let remaining, let expected):
            violation = .truncatedBody(received: expected - remaining, expected: expected)
        case .chunkLine, .chunkData, .chunkEnd, .trailers: violation = .truncatedChunkedBody
        case .failed(let first): violation = first
        }
        self.state = .failed(violation)
        throw violation
    }
}

// MARK: Transitions

extension ResponseDecoder {
    private mutating func advance(_ bytes: ByteView) throws(HTTP1Violation) -> Step {
        switch self.state {
        case .head:
            return try self.readHead(bytes)
        case .counted(let remaining, let expected):
            let count = Int(min(remaining, Int64(bytes.count)))
            guard count > 0 else { return Step(consumedByteCount: 0, event: nil) }
            let rest = remaining - Int64(count)
            self.state = rest == 0 ? .ending : .counted(remaining: rest, expected: expected)
            return Step(consumedByteCount: count, event: .body(0..<count))
        case .untilClose:
            return Step(consumedByteCount: bytes.count, event: bytes.count > 0 ? .body(0..<bytes.count) : nil)
        case .chunkLine, .chunkData, .chunkEnd, .trailers:
            return try self.readChunked(bytes)
        case .ending:
            self.state = .complete
            return Step(consumedByteCount: 0, event: .end(trailers: nil))
        case .complete:
            return Step(consumedByteCount: 0, event: nil)
        case .failed(let violation):
            throw violation
        }
    }

    private mutating func readHead(_ bytes: ByteView) throws(HTTP1Violation) -> Step {
        guard try self.headScan.scan(bytes, limits: self.limits), let line = self.headScan.statusLine else {
            return Step(consumedByteCount: 0, event: nil)
        }
        let byteCount = self.headScan.fields.lineStart
        if line.statusCode == 101 { try self.checkUpgrade(line) }
        let head = try ResponseHead(line, self.headScan.fields, bytes, answering: self.kind)
        return Step(consumedByteCount: byteCount, event: try self.received(head))
    }

    /// Checks whether a 101 may switch protocols, "regardless of the header fields present in the message" (RFC 9112 §6.3).
    private func checkUpgrade(_ line: HeadScan.StatusLine) throws(HTTP1Violation) {
        guard self.allowsUpgrade else { throw .unexpectedUpgrade }
        // RFC 9110 §7.8: "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0 request". So a
        // peer that answers in HTTP/1.0 is a proxy or a server that does not know the other protocol.
        guard line.minorVersion == 1 else { throw .upgradeInHTTP10 }
    }

    private mutating func received(_ head: ResponseHead) throws(HTTP1Violation) -> Event {
        if head.statusCode < 200, head.statusCode != 101 {
            // RFC 9110 §15.2: a client must be able to parse one or more 1xx responses before the final one.
            self.informationalCount += 1
            guard self.informationalCount <= self.limits.maximumInformationalCount else {
                throw .tooManyInformationalResponses(limit: self.limits.maximumInformationalCount)
            }
            if head.isIrregular { self.hadIrregularHead = true }
            self.headScan = HeadScan()
            self.state = .head
            return .informational(head)
        }
        let leavesHTTP = head.statusCode == 101 || (self.kind == .connect && 200...299 ~= head.statusCode)
        self.keepsAlive = head.keepsAlive && !leavesHTTP && !self.hadIrregularHead
        self.state =
            switch head.bodyLength {
            case .none, .known(0): .ending
            case .known(let length): .counted(remaining: length, expected: length)
            case .chunked: .chunkLine(searchedByteCount: 0)
            case .untilClose: .untilClose
            }
        return .head(head)
    }
}
