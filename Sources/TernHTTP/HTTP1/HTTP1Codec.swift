// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernFields
import TernFoundation
import TernHTTP1
import TernRequests
import TernTransport

/// Sends one request and reads its response over a connection that uses HTTP/1.1 (RFC 9112).
struct HTTP1Codec: ExchangeCodec, ~Copyable {
    private let session: HTTP1Session
    private var reader: ResponseReader
    private(set) var hasSent = false
    private let opensTunnel: Bool

    init(_ request: OutgoingRequest, for call: HTTPCall, on session: HTTP1Session, _ settings: ExchangeSettings) {
        self.session = session
        self.opensTunnel = request.head.opensTunnel
        self.reader = ResponseReader(
            session.connection,
            decoder: ResponseDecoder(
                method: request.head.method,
                allowsUpgrade: request.head.upgrade != nil,
                limits: HTTP1Limits(settings.limits).whileSending(request.bodyLength ?? 0)
            ),
            observer: call.observer,
            mayBeSending: request.hasBody
        )
    }

    var control: any ExchangeControl { self.session }

    // MARK: The request

    mutating func sendHead(of request: OutgoingRequest, for call: HTTPCall) async throws(ClientError) -> SentHead {
        let inline = request.inlineBody
        let bytes = RequestHead(request.head).encoded(with: inline)
        do throws(ConnectionError) {
            // A head alone always fits. A head with a body may have to wait if the server accepts nothing.
            let hasRoom = try self.session.connection.enqueue(bytes)
            self.hasSent = true
            if !hasRoom { try await call.waitForRoom(on: self.session.connection) }
        } catch {
            throw call.error(error, .send)
        }
        return SentHead(
            headByteCount: bytes.readableBytes - (inline?.count ?? 0),
            bodyByteCount: inline?.count,
            needsUpload: request.needsUpload
        )
    }

    func makeSink(for request: OutgoingRequest, _ call: HTTPCall, _ activity: any ExchangeActivity) -> HTTP1BodySink {
        // The head of an empty body is already the whole request. A stream may still turn out not to be empty.
        if request.head.bodyLength == .bytes(0), !request.isStream { activity.willQueueEnd() }
        return HTTP1BodySink(self.session.connection, for: call, request.head.bodyLength, activity)
    }

    /// Makes the exchange the last one on its connection, because the server may read the next request as the missing body.
    mutating func omitBody() { self.reader.isLast = true }

    // MARK: The response

    mutating func next(
        atLeast byteCount: Int,
        deadline: CallDeadline?
    ) async throws(ResponseFailure) -> ResponseEvent {
        try await self.reader.next(atLeast: byteCount, deadline: deadline)
    }

    mutating func nextAvailable() throws(ResponseFailure) -> ResponseEvent? { try self.reader.nextAvailable() }

    mutating func takeWholeBody() -> ByteBuffer? { self.reader.takeWholeBody() }

    /// The sink itself learns when the connection has room, but not when a slow server accepts a part of what is queued.
    var lastSent: ClockInstant? { (self.session.connection as? any MeasuredConnection)?.lastSent }
    var requiresHTTP1: Bool { false }
    var hasReceived: Bool { self.reader.hasReceived }
    var decodedByteCount: Int64 { self.reader.decodedByteCount }
    var mayHaveTrailers: Bool { self.reader.mayHaveTrailers }
    var trailers: FieldSection? { self.reader.trailers }
    var isReusable: Bool { self.reader.isReusable }

    mutating func upgrade(by head: Response.Head, in slot: Slot) -> UpgradedConnection? {
        guard head.statusCode == 101 || (self.opensTunnel && head.isSuccessful) else { return nil }
        slot.detach()
        return UpgradedConnection(self.session.connection, receivedBytes: self.reader.unread)
    }
}

extension RequestHead {
    init(_ head: OutgoingHead) {
        self.init(
            method: head.method,
            target: head.target,
            host: head.authority,
            fields: head.fields,
            steering: head.steering,
            bodyFraming: BodyFraming(head.bodyLength),
            expectsContinue: head.expectsContinue
        )
    }

    func encoded(with body: Data? = nil) -> ByteBuffer {
        let capacity = self.encodedByteCountUpperBound
        var bytes = ByteBuffer()
        bytes.reserveCapacity(capacity + (body?.count ?? 0))
        bytes.writeWithOutputRawSpan(minimumWritableBytes: capacity) { span in self.encode(into: &span) }
        if let body { bytes.append(body) }
        return bytes
    }
}

extension RequestHead.BodyFraming {
    fileprivate init(_ length: OutgoingHead.BodyLength) {
        self =
            switch length {
            case .none: .none
            case .bytes(let byteCount): .length(byteCount)
            case .unknown: .chunked
            }
    }
}

extension OutgoingHead {
    fileprivate var target: String {
        // "a client MUST send only the host and port of the tunnel destination" (RFC 9112 §3.2.3).
        if self.opensTunnel { return self.authority }
        // To a proxy, "a client MUST send the target URI in absolute-form" (RFC 9112 §3.2.2).
        return self.isForwarded ? "\(self.scheme)://\(self.authority)\(self.path)" : self.path
    }
}

extension HTTP1Limits {
    init(_ limits: HeadLimits) {
        self.init()
        self.maximumHeadByteCount = limits.maximumByteCount
        self.maximumFieldCount = limits.maximumFieldCount
    }
}
