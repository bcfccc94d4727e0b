// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
@_spi(CrossModuleInlining) public import TernFields

/// Decodes the bytes of one HTTP/1.1 response into events (RFC 9112).
///
/// It has no socket, clock or buffer. The driver keeps the bytes, passes in those not consumed yet, and learns where in
/// them the body is. Equal bytes give equal events, however they were split; only the pieces of the body differ.
///
/// ```swift
/// var decoder = ResponseDecoder(method: .get)
/// while !decoder.isComplete {
///     let step = try decoder.next(buffer.bytes)
///     if let event = step.event { handle(event) }  // slice a body before the buffer is moved
///     buffer.removeFirst(step.consumedByteCount)
///     if step.event == nil { try await buffer.fill(atLeast: decoder.expectedByteCount) }
/// }
/// ```
///
/// A head is read as browsers and curl read it: lines may end with LF alone (§2.2), values may be folded (§5.2), the
/// same length may occur twice, and `Transfer-Encoding` overrides `Content-Length` (§6.3). A response with any of these
/// deviations is the last on its connection, because other recipients may disagree on where it ends. Chunk framing must
/// be exact, and nothing may precede the status line. Bytes after the end of a response are not examined.
public struct ResponseDecoder: Sendable {
    /// A decoded event.
    @nonexhaustive
    public enum Event: Equatable, Sendable {
        /// An interim response (1xx) other than an accepted 101; more heads follow.
        case informational(ResponseHead)
        /// The head of the final response, or of an accepted 101.
        case head(ResponseHead)
        /// The range of body bytes inside the input of the same call, never empty.
        case body(Range<Int>)
        /// The response is complete; `trailers` is `nil` if there are no trailers that are allowed.
        ///
        /// Fields for framing, routing or reading the content (`Content-Length`, `Transfer-Encoding`, `Connection`,
        /// `Host`, `Trailer`, `Content-Type`, `Content-Encoding`, `Content-Range`) are removed from trailers, because a
        /// recipient must not act on them (RFC 9110 §6.5.1).
        case end(trailers: FieldSection?)
    }

    /// The result of one call.
    public struct Step: Equatable, Sendable {
        /// The number of bytes consumed from the front of the input.
        public var consumedByteCount: Int
        /// The event; `nil` means that more input is needed.
        public var event: Event?
    }

    enum State: Sendable {
        /// Waiting for the end of a head. Exits: itself after an interim one, any body, `ending`.
        case head
        /// Inside a body of `expected` bytes, of which `remaining` (more than 0) are missing. Exit: `ending`.
        case counted(remaining: Int64, expected: Int64)
        /// Inside a body that ends with the connection. Exit: `complete`, by ``finish()``.
        case untilClose
        /// Waiting for the end of the line before a chunk's data. Exits: `chunkData`, `trailers`.
        case chunkLine(searchedByteCount: Int)
        /// Inside the data of a chunk, of which `remaining` (more than 0) bytes are missing. Exit: `chunkEnd`.
        case chunkData(remaining: Int64)
        /// Waiting for the CRLF after a chunk's data. Exit: `chunkLine`.
        case chunkEnd
        /// Waiting for the end of the trailer section. Exit: `complete`.
        case trailers
        /// Everything was read, but the end was not reported yet. Exit: `complete`.
        case ending
        /// The end was reported; nothing more is read.
        case complete
        /// A rule was broken; every call throws. All states but `complete` lead here.
        case failed(HTTP1Violation)
    }

    var state = State.head
    // The results of the scan are stored outside the state, because the state is copied at each step.
    private var headScan = HeadScan()
    var trailerScan = FieldScan()
    var chunkFraming = ChunkFraming()
    private var informationalCount = 0
    /// Whether an interim head was accepted although no sender may generate it.
    private var hadIrregularHead = false
    var keepsAlive = false
    private let kind: RequestKind
    private let allowsUpgrade: Bool
    let limits: HTTP1Limits

    /// Creates a decoder for the response to one request.
    ///
    /// - Parameters:
    ///   - method: The request's method. A response to HEAD has no body, and a 2xx to CONNECT starts a tunnel.
    ///   - allowsUpgrade: Whether the request offered another protocol, so that a 101 is a final response. Defaults to
    ///     `false`, so that a 101 is a violation.
    ///   - limits: The limits for everything but the body. Defaults to `HTTP1Limits()`.
    public init(method: HTTPRequest.Method, allowsUpgrade: Bool = false, limits: HTTP1Limits = HTTP1Limits()) {
        self.kind = RequestKind(method)
        self.allowsUpgrade = allowsUpgrade
        var limits = limits
        // HTTPFields traps beyond this, and a peer must not be able to cause that.
        limits.maximumFieldCount = min(limits.maximumFieldCount, HTTP1Limits.largestFieldCount)
        self.limits = limits
    }

    /// Whether the end was reported.
    ///
    /// Bytes that are not consumed by then belong to what follows.
    public var isComplete: Bool {
        if case .complete = self.state { true } else { false }
    }

    /// Whether the connection may carry another request: the response is complete, and both sides keep it open.
    ///
    /// `false` after a body that ended with the connection, after 101 and after a successful CONNECT (RFC 9112 §9.3).
    public var isReusable: Bool { self.isComplete && self.keepsAlive }

    /// The number of further bytes that can be awaited without delaying an event; at least 1.
    ///
    /// Inside a body of known length or a chunk, this is the rest of it, so that a connection can gather the bytes and
    /// wake its reader once.
    public var expectedByteCount: Int {
        switch self.state {
        case .counted(let remaining, _), .chunkData(let remaining): Int(clamping: remaining)
        default: 1
        }
    }

    /// Decodes one event from the front of the input.
    ///
    /// Call it until it returns no event, even with empty input: the end may need no bytes of its own.
    ///
    /// - Parameter input: All bytes received and not consumed yet, from the front. Bytes that were passed in and not
    ///   consumed must be passed in again.
    /// - Returns: The event, and the number of bytes to drop, which may be more than 0 even without an event.
    /// - Throws: The rule that was broken. Once it has thrown a violation, each later call throws the same one.
    /// - Complexity: O(*n*) in the bytes of a response over all calls, however few bytes arrive at a time.
    public mutating func next(_ input: RawSpan) throws(HTTP1Violation) -> Step {
        do throws(HTTP1Violation) {
            return try input.withUnsafeBytes { (bytes) throws(HTTP1Violation) in try self.advance(ByteView(bytes)) }
        } catch {
            self.state = .failed(error)
            throw error
        }
    }

    /// Tells the decoder that the peer closed its side, after all received bytes were passed to ``next(_:)``.
    ///
    /// - Returns: The end of a body that ends with the connection; `nil` if the end was reported before.
    /// - Throws: The violation if something is missing; each later call throws the same one.
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
        let framing = self.headScan.fields.framing
        if line.statusCode == 101 { try self.checkUpgrade(line, framing) }
        let head = try ResponseHead(line, self.headScan.fields, bytes, answering: self.kind)
        return Step(consumedByteCount: byteCount, event: try self.received(head))
    }

    private func checkUpgrade(
        _ line: HeadScan.StatusLine,
        _ framing: FramingFields
    ) throws(HTTP1Violation) {
        guard self.allowsUpgrade else { throw .unexpectedUpgrade }
        // RFC 9110 §7.8: "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0 request". So a
        // peer that answers in HTTP/1.0 is a proxy or a server that does not know the other protocol.
        guard line.minorVersion == 1 else { throw .upgradeInHTTP10 }
        // RFC 9112 §6.1: "A server MUST NOT send a Transfer-Encoding header field in any response with a status code of
        // 1xx", and RFC 9110 §8.6 says the same of Content-Length. A sender of either field expects a body to follow,
        // and so may a proxy in between.
        guard !framing.hasContentLength, !framing.hasTransferEncoding, !framing.isAmbiguous else {
            throw .framedUpgrade
        }
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
