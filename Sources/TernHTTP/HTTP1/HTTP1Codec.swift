// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernFields
import TernHTTP1
import TernRequests
import TernTransport

/// Sends one request and reads its response over a connection that uses HTTP/1.1 (RFC 9112).
struct HTTP1Codec: ExchangeCodec, ~Copyable {
    private let session: HTTP1Session
    private var reader: ResponseReader
    private(set) var hasSent = false

    init(_ request: OutgoingRequest, for call: HTTPCall, on session: HTTP1Session, _ settings: ExchangeSettings) {
        self.session = session
        self.reader = ResponseReader(
            session.connection,
            decoder: ResponseDecoder(
                method: request.head.method,
                allowsUpgrade: request.offersUpgrade,
                limits: settings.limits.whileSending(request.bodyLength ?? 0)
            ),
            observer: call.observer,
            mayBeSending: request.hasBody
        )
    }

    var control: any ExchangeControl { self.session }

    // MARK: The request

    mutating func sendHead(of request: OutgoingRequest, for call: HTTPCall) async throws(ClientError) -> SentHead {
        let inline = request.inlineBody
        let bytes = request.encoded(with: inline)
        do throws(ConnectionError) {
            // A head alone always fits. A head with a body may have to wait if the server accepts nothing.
            let hasRoom = try self.session.connection.enqueue(bytes)
            self.hasSent = true
            if !hasRoom {
                let deadline = call.deadline(.idle, call.timeouts.idle)
                try await self.session.connection.waitForRoom(deadline: deadline)
            }
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
        if request.head.bodyFraming == .length(0), !request.isStream { activity.willQueueEnd() }
        return HTTP1BodySink(self.session.connection, for: call, request.head.bodyFraming, activity)
    }

    /// Makes the exchange the last one on its connection, because the client does not send the request body.
    ///
    /// The server may still expect the body, and would then read the next request as that body.
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

    /// `nil`: the sink itself learns when the connection takes bytes.
    var lastSent: ClockInstant? { nil }
    var requiresHTTP1: Bool { false }
    var hasReceived: Bool { self.reader.hasReceived }
    var decodedByteCount: Int64 { self.reader.decodedByteCount }
    var mayHaveTrailers: Bool { self.reader.mayHaveTrailers }
    var trailers: FieldSection? { self.reader.trailers }
    var isReusable: Bool { self.reader.isReusable }

    mutating func upgrade(by head: Response.Head, in slot: Slot) -> UpgradedConnection? {
        guard head.statusCode == 101 else { return nil }
        slot.detach()
        return UpgradedConnection(self.session.connection, receivedBytes: self.reader.unread)
    }
}
