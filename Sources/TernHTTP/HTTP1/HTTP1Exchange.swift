// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP1
import TernRequests
import TernTransport

/// One request and its response on one connection (RFC 9112): writes the head and the body, and reads the response.
struct HTTP1Exchange: ~Copyable {
    private let connection: any Connection
    private let slot: Slot
    private var call: HTTPCall
    private let outgoing: OutgoingRequest
    private let expectContinueTimeout: Duration
    /// Whether the exchange has handed any byte to the network.
    private var hasSent = false
    private var upload: Upload?
    private var reader: ResponseReader

    init(
        _ outgoing: OutgoingRequest,
        for call: HTTPCall,
        on connection: any Connection,
        in slot: Slot,
        _ settings: ExchangeSettings
    ) {
        self.connection = connection
        self.slot = slot
        self.call = call
        self.outgoing = outgoing
        self.expectContinueTimeout = settings.expectContinueTimeout
        self.reader = ResponseReader(
            connection,
            decoder: ResponseDecoder(
                method: outgoing.head.method,
                allowsUpgrade: outgoing.offersUpgrade,
                limits: settings.limits
            ),
            observer: call.observer,
            mayBeSending: outgoing.hasBody
        )
    }

    /// Sends the request and reads the response head; the reply includes the body if it has arrived already.
    consuming func run() async throws(ExchangeFailure) -> HTTPReply {
        do throws(ClientError) {
            if let stream = self.outgoing.emptyStream { try await stream.checkEmpty(for: self.call) }
            try await self.sendHead()
            let head = try await self.receiveHead()
            return self.reply(head)
        } catch {
            self.upload?.cancel()
            throw self.failure(of: error)
        }
    }

    // MARK: The request

    private mutating func sendHead() async throws(ClientError) {
        let inline = self.outgoing.inlineBody
        let bytes = self.outgoing.encoded(with: inline)
        do throws(ConnectionError) {
            // There is always room for a head, but not for a head with a body if the server accepts nothing.
            let hasRoom = try self.connection.enqueue(bytes)
            self.hasSent = true
            if !hasRoom {
                let deadline = self.call.deadline(.idle, self.call.timeouts.idle)
                try await self.connection.waitForRoom(deadline: deadline)
            }
        } catch {
            throw self.call.error(error, .send)
        }
        guard let observer = self.call.observer else { return }
        observer.didReach(.headSent(byteCount: bytes.readableBytes - (inline?.count ?? 0)))
        guard let inline else { return }
        observer.didSend(Int64(inline.count), of: Int64(inline.count))
        observer.didReach(.bodySent(byteCount: Int64(inline.count)))
    }

    // MARK: The response head

    private mutating func receiveHead() async throws(ClientError) -> ResponseHead {
        if self.outgoing.needsUpload {
            if self.outgoing.head.expectsContinue, let head = try await self.awaitContinue() {
                guard head.statusCode < 300, head.statusCode != 101 else {
                    self.reader.isLast = true  // the server may read the next bytes as the body it expects
                    return head
                }
                // A server that answers 2xx before it has the body still reads the body while it answers.
                self.upload = Upload(self.outgoing, on: self.connection, for: self.call)
                self.upload?.answered(on: self.connection)
                return head
            }
            self.upload = Upload(self.outgoing, on: self.connection, for: self.call)
        }
        // While the body is being sent, only the call's limit applies; the end of the body sets the limit for the first
        // byte. Interim responses do not move it: a server could send them forever.
        let deadline =
            self.upload == nil ? self.call.deadline(.firstByte, self.call.timeouts.firstByte) : self.call.deadline
        while true {
            guard let head = try await self.nextHead(deadline) else { continue }
            if head.statusCode == 101, let upload = self.upload, !upload.isComplete {
                // The server would read the rest of the body as bytes of the new protocol.
                throw .protocolViolation(
                    section: "RFC 9110 §7.8",
                    reason: "The server switched protocols before the request was complete.",
                    self.call.context(.head, response: head.makeHTTPResponse())
                )
            }
            self.upload?.answered(on: self.connection)
            if head.statusCode >= 300 { self.upload?.cancel() }  // the server decided without the rest of the body
            return head
        }
    }

    /// Waits a while for `100 Continue`; returns the final head if it arrives instead (RFC 9110 §10.1.1).
    private mutating func awaitContinue() async throws(ClientError) -> ResponseHead? {
        let continueDeadline = CallDeadline(.firstByte, limit: self.expectContinueTimeout, from: self.call.clock.now)
        let deadline = CallDeadline.earlier(
            continueDeadline,
            self.call.deadline(.firstByte, self.call.timeouts.firstByte)
        )
        do throws(ClientError) {
            return try await self.nextHead(deadline)
        } catch {
            guard case .timedOut(.firstByte, _, _) = error, deadline == continueDeadline else { throw error }
            return nil
        }
    }

    /// Returns the final head, or `nil` after an interim response.
    private mutating func nextHead(_ deadline: CallDeadline?) async throws(ClientError) -> ResponseHead? {
        do throws(ResponseReader.Failure) {
            switch try await self.reader.next(atLeast: 1, deadline: deadline) {
            case .head(let head): return head
            case .informational(let head):
                self.call.observer?.didReceiveInformational(head.makeHTTPResponse())
                return nil
            case .body, .end: return nil
            }
        } catch {
            if let failure = self.upload?.failure { throw failure }
            throw error.clientError(for: self.call, phase: .head)
        }
    }

    // MARK: The response body

    private consuming func reply(_ head: ResponseHead) -> HTTPReply {
        let headByteCount = self.reader.decodedByteCount
        if let observer = self.call.observer {
            let version = head.version.description
            let byteCount = Int(headByteCount)
            observer.didReach(.answered(statusCode: head.statusCode, version: version, headByteCount: byteCount))
        }
        let (url, tls) = (self.call.request.url, self.slot.tls)
        let trailers = head.bodyLength == .chunked ? Response.Trailers() : nil
        let response = Response(
            url: url,
            head: Response.Head(head),
            isReused: self.slot.isReused,
            tls: tls,
            trailers: trailers
        )
        if head.statusCode == 101 {
            self.call.observer?.didReach(.finished(bodyByteCount: 0))
            self.slot.detach()
            let upgrade = UpgradedConnection(self.connection, receivedBytes: self.reader.unread)
            return HTTPReply(response: response, body: ResponseBody(ByteBuffer()), upgrade: upgrade)
        }
        if self.upload?.isComplete ?? true, let bytes = self.reader.takeWholeBody() {
            trailers?.receive(self.reader.trailers)
            if let observer = self.call.observer {
                observer.didReceive(Int64(bytes.readableBytes), of: head.contentLength)
                observer.didReach(.finished(bodyByteCount: self.reader.decodedByteCount - headByteCount))
            }
            self.reader.isReusable ? self.slot.giveBack() : self.slot.discard()
            return HTTPReply(response: response, body: ResponseBody(bytes))
        }
        // A long download must not retain the uploaded body; calls without a body need no copy.
        if self.call.request.body != nil { self.call.request.body = nil }
        let source = HTTP1BodySource(self.reader, self.call, self.slot, self.upload, response: response)
        return HTTPReply(response: response, body: ResponseBody(source))
    }

    // MARK: Failures

    private func failure(of error: ClientError) -> ExchangeFailure {
        guard case .connectionLost = error, self.slot.wasIdle, !self.reader.hasReceived else {
            return ExchangeFailure(error, delivered: self.delivery)
        }
        return ExchangeFailure(error, delivered: self.delivery, isStale: true)
    }

    /// The part of a failed exchange's request that the server may have received.
    private var delivery: ClientError.Delivery { self.hasSent ? .unknown : .notSent }
}
