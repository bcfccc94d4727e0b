// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFields
import TernHTTP2
import TernRequests
import TernTransport

/// Sends one request and reads its response over a stream of a connection that uses HTTP/2 (RFC 9113 §8).
struct HTTP2Codec: ExchangeCodec, ~Copyable {
    private let session: HTTP2Session
    private let stream: HTTP2ExchangeStream
    private let observer: (any TransferObserver)?
    private(set) var hasReceived = false
    private(set) var decodedByteCount: Int64 = 0
    private(set) var trailers: FieldSection?
    private var hasHead = false
    private var hasContent = false
    private var remainingByteCount: Int64?
    /// The length of the content that was read since the last report to the session.
    private var unreportedByteCount = 0
    private var hasEnded = false
    /// Whether the request asks for another protocol (RFC 8441 §4) or for a tunnel (RFC 9113 §8.5), so that its side of the stream
    /// stays open.
    private var offersUpgrade = false
    private var isUpgraded = false
    private var priorityListener: AdjustablePriority.Listener?

    init(for call: HTTPCall, on session: HTTP2Session) {
        self.session = session
        self.stream = HTTP2ExchangeStream(session)
        self.observer = call.observer
    }

    deinit {
        if !self.isReusable, !self.isUpgraded { self.stream.abort() }
    }

    var control: any ExchangeControl { self.stream }

    var hasSent: Bool { self.stream.state.withLock { $0.id != nil } }

    // MARK: The request

    mutating func sendHead(of request: OutgoingRequest, for call: HTTPCall) async throws(ClientError) -> SentHead {
        let inline = request.inlineBody
        self.offersUpgrade = request.head.upgrade != nil || request.head.opensTunnel
        let needsUpload = request.hasBody && request.emptyStream == nil
        let endsStream = !needsUpload && !self.offersUpgrade
        if request.head.upgrade != nil { try await self.waitForSettings(for: call) }
        let head = HTTP2RequestHead(request.head)
        let sent: HTTP2Session.OpenedStream
        do throws(HTTP2OpeningFailure) {
            sent = try self.session.open(self.stream, head, with: inline, endsStream: endsStream)
        } catch {
            throw call.error(error)
        }
        if let priority = call.request.options.adjustablePriority { self.follow(priority, sent: request.head.fields) }
        // A head alone is short, and what follows is the wait for the response, with its own time limit.
        if !sent.hasRoom, !endsStream {
            do throws(ConnectionError) {
                try await call.waitForRoom(on: self.session.connection)
            } catch {
                throw call.error(error, .send)
            }
        }
        return SentHead(
            streamNumber: Int(sent.id.rawValue),
            headByteCount: sent.headByteCount,
            bodyByteCount: sent.sentBody ? inline?.count : nil,
            needsUpload: needsUpload && !sent.sentBody
        )
    }

    /// Tells the server each change of the priority, including a change since the head was encoded (RFC 9218 §7.1).
    private mutating func follow(_ priority: AdjustablePriority, sent fields: HTTPFields) {
        self.priorityListener = priority.onChange { [weak stream = self.stream] in stream?.updatePriority($0) }
        var fields = fields
        let current = priority.current
        if fields.set(current) { self.stream.updatePriority(current) }
    }

    /// Waits until the server has said whether it accepts the extended CONNECT (RFC 8441 §3).
    private func waitForSettings(for call: HTTPCall) async throws(ClientError) {
        do throws(ConnectionError) {
            try await self.session.waitForSettings(deadline: call.deadline(.firstByte, call.timeouts.firstByte))
        } catch {
            throw call.error(error, .send)
        }
    }

    func makeSink(for request: OutgoingRequest, _ call: HTTPCall, _ activity: any ExchangeActivity) -> HTTP2BodySink {
        HTTP2BodySink(self.stream, for: call, activity)
    }

    /// Does nothing: the codec resets the stream if the exchange ends before the request is complete.
    mutating func omitBody() {}

    // MARK: The response

    mutating func next(
        atLeast byteCount: Int,
        deadline: CallDeadline?
    ) async throws(ResponseFailure) -> ResponseEvent {
        while true {
            if !self.hasHead, let event = self.nextHead() { return event }
            let bytes: ByteBuffer?
            do throws(ConnectionError) {
                bytes = try await self.stream.inbox.read(atLeast: self.minimum(byteCount), deadline: deadline)
            } catch {
                throw self.stream.failure(by: error)
            }
            if let event = self.event(bytes) { return event }
        }
    }

    /// Returns the number of bytes to wait for: 1 for the first content, so that progress reports begin early, and for content of
    /// unknown length, of which no more may come.
    private func minimum(_ byteCount: Int) -> Int {
        guard self.hasContent, let remaining = self.remainingByteCount else { return 1 }
        return max(1, min(byteCount, Int(clamping: remaining)))
    }

    mutating func nextAvailable() throws(ResponseFailure) -> ResponseEvent? {
        if !self.hasHead, let event = self.nextHead() { return event }
        if let bytes = self.stream.inbox.take() { return self.event(bytes) }
        guard self.stream.inbox.takeWhole() != nil else { return nil }
        return self.event(nil)
    }

    mutating func takeWholeBody() -> ByteBuffer? {
        guard let bytes = self.stream.inbox.takeWhole() else { return nil }
        if bytes.readableBytes > 0 { self.didRead(bytes.readableBytes) }
        self.didEnd()
        return bytes
    }

    private mutating func nextHead() -> ResponseEvent? {
        guard let event = self.stream.takeHead() else { return nil }
        if !self.hasReceived {
            self.hasReceived = true
            self.observer?.didReach(.firstByte)
        }
        if case .head(let head) = event {
            self.hasHead = true
            self.remainingByteCount = head.contentLength
            self.decodedByteCount += Int64(head.fieldByteCount)
            // The server refused. The request has no content, so end it.
            if self.offersUpgrade, !head.isSuccessful { _ = try? self.session.endBody(of: self.stream, with: nil) }
        }
        return event
    }

    private mutating func event(_ bytes: ByteBuffer?) -> ResponseEvent? {
        guard let bytes else {
            self.didEnd()
            return .end
        }
        guard bytes.readableBytes > 0 else { return nil }
        self.didRead(bytes.readableBytes)
        return .body(bytes)
    }

    private mutating func didRead(_ byteCount: Int) {
        self.decodedByteCount += Int64(byteCount)
        self.remainingByteCount? -= Int64(byteCount)
        self.hasContent = true
        self.unreportedByteCount += byteCount
        if self.unreportedByteCount >= self.session.reportedByteCount { self.reportReading() }
    }

    private mutating func reportReading() {
        guard self.unreportedByteCount > 0 else { return }
        if let id = self.stream.state.withLock({ $0.reportingID }) {
            self.session.consumed(self.unreportedByteCount, on: id)
        }
        self.unreportedByteCount = 0
    }

    private mutating func didEnd() {
        self.reportReading()
        self.hasEnded = true
        self.trailers = self.stream.end.trailers
    }

    var lastSent: ClockInstant? { self.stream.lastSent }

    var requiresHTTP1: Bool {
        if case .stream(.reset(.http11Required), _)? = self.stream.state.withLock({ $0.failure }) {
            true
        } else {
            false
        }
    }

    var mayHaveTrailers: Bool { true }

    var isReusable: Bool { self.hasEnded && self.stream.end.isComplete }

    /// Returns the stream after a successful answer to CONNECT, extended (RFC 8441 §5) or not (RFC 9113 §8.5).
    mutating func upgrade(by head: Response.Head, in slot: Slot) -> UpgradedConnection? {
        guard self.offersUpgrade, head.isSuccessful else { return nil }
        self.isUpgraded = true
        let connection = HTTP2StreamConnection(self.stream, in: slot, clock: self.session.clock)
        return UpgradedConnection(connection, receivedBytes: ByteBuffer())
    }
}

extension HTTP2RequestHead {
    /// Creates the head of a request as HTTP/2 sends it (RFC 9113 §8.3.1), also to a proxy that forwards it.
    init(_ head: OutgoingHead) {
        var byteCount: Int64?
        if case .bytes(let length) = head.bodyLength { byteCount = length }
        self.init(
            method: head.method,
            scheme: head.scheme,
            authority: head.authority,
            path: head.path,
            fields: head.fields,
            steering: head.steering,
            bodyByteCount: byteCount,
            expectsContinue: head.expectsContinue
        )
        if head.upgrade == .webSocket { self.becomeExtendedConnect() }
    }

    /// Asks for a WebSocket: "Implementations using this extended CONNECT to bootstrap WebSockets do not do the processing of the
    /// Sec-WebSocket-Key and Sec-WebSocket-Accept header fields of RFC6455" (RFC 8441 §5).
    private mutating func becomeExtendedConnect() {
        self.method = .connect
        self.protocolName = "websocket"
        self.fields[.secWebSocketKey] = nil
    }
}
