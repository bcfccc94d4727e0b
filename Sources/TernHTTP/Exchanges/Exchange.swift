// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// One request and its response, whichever version of HTTP the codec speaks.
struct Exchange<Codec: ExchangeCodec & ~Copyable>: ~Copyable {
    private let slot: Slot
    private var call: HTTPCall
    private let outgoing: OutgoingRequest
    private let expectContinueTimeout: Duration
    private var driver: ExchangeDriver<Codec>?
    private var codec: Codec

    init(
        _ outgoing: OutgoingRequest,
        for call: HTTPCall,
        by codec: consuming Codec,
        in slot: Slot,
        _ settings: ExchangeSettings
    ) {
        self.slot = slot
        self.call = call
        self.outgoing = outgoing
        self.expectContinueTimeout = settings.expectContinueTimeout
        self.codec = codec
    }

    /// Sends the request, and returns the reply when its head has arrived, with the whole body if that has arrived, too.
    consuming func run() async throws(ExchangeFailure) -> (reply: HTTPReply, hasReadBody: Bool) {
        do throws(ClientError) {
            if let stream = self.outgoing.emptyStream { try await stream.checkEmpty(for: self.call) }
            let head = try await self.receiveHead(behind: try await self.sendHead())
            let hasReadBody = self.hasReadBody
            let reply = self.reply(head)
            return (reply, hasReadBody)
        } catch {
            if let driver { driver.failed() } else { self.codec.control.abort() }
            throw self.failure(of: error)
        }
    }

    // MARK: The request

    /// Whether the client has begun to read the body; a stream whose announced length is 0 has no beginning to lose.
    private var hasReadBody: Bool { self.driver != nil }

    private mutating func sendHead() async throws(ClientError) -> SentHead {
        let sent = try await self.codec.sendHead(of: self.outgoing, for: self.call)
        guard let observer = self.call.observer else { return sent }
        if let number = sent.streamNumber { observer.didReach(.streamOpened(number: number)) }
        observer.didReach(.headSent(byteCount: sent.headByteCount))
        guard let byteCount = sent.bodyByteCount.map(Int64.init) else { return sent }
        observer.didSend(byteCount, of: byteCount)
        observer.didReach(.bodySent(byteCount: byteCount))
        return sent
    }

    // MARK: The response head

    private mutating func receiveHead(behind sent: SentHead) async throws(ClientError) -> Response.Head {
        if sent.needsUpload {
            if self.outgoing.head.expectsContinue, let head = try await self.awaitContinue() {
                guard head.statusCode < 300, head.statusCode != 101 else {
                    self.codec.omitBody()
                    return head
                }
                // A server that answers 2xx before it has received the body still reads the body while it answers.
                self.startSending().answered(head.statusCode)
                return head
            }
            self.startSending()
        }
        // Until the end of the body, this read has only the deadline of the call. While the body waits for its source,
        // the server may be waiting for it, too. While the body waits for the server, the sender has the idle limit,
        // whose end also ends this read. At the end of the body, the driver sets the limit for the response head.
        // Interim responses do not extend that limit, because a server could send them forever.
        let deadline =
            self.driver == nil ? self.call.deadline(.firstByte, self.call.timeouts.firstByte) : self.call.deadline
        while true {
            guard let head = try await self.nextHead(deadline) else { continue }
            if head.statusCode == 101, let driver {
                await driver.waitForSender()
                if Task.isCancelled { throw .cancelled(self.call.context(.head)) }
                if let failure = driver.requestFailure { throw failure }
                guard driver.isRequestComplete else {
                    // The server would read the rest of the body as bytes of the new protocol.
                    throw .protocolViolation(
                        section: "RFC 9110 §7.8",
                        reason: "The server switched protocols before the request was complete.",
                        self.call.context(.head, response: head.makeHTTPResponse())
                    )
                }
            }
            self.driver?.answered(head.statusCode)
            return head
        }
    }

    @discardableResult
    private mutating func startSending() -> ExchangeDriver<Codec> {
        let driver = ExchangeDriver(sending: self.outgoing, by: self.codec, for: self.call, in: self.slot)
        self.driver = driver
        return driver
    }

    /// Waits for an interim response for a limited time (RFC 9110 §10.1.1); returns the final head if that arrives instead.
    private mutating func awaitContinue() async throws(ClientError) -> Response.Head? {
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

    private mutating func nextHead(_ deadline: CallDeadline?) async throws(ClientError) -> Response.Head? {
        do throws(ResponseFailure) {
            switch try await self.codec.next(atLeast: 1, deadline: deadline) {
            case .head(let head): return head
            case .informational(let head):
                self.call.observer?.didReceiveInformational(head.makeHTTPResponse())
                return nil
            case .body, .end: return nil
            }
        } catch {
            if let failure = self.driver?.requestFailure { throw failure }
            throw error.clientError(for: self.call, phase: .head)
        }
    }

    // MARK: The response body

    private consuming func reply(_ head: Response.Head) -> HTTPReply {
        let headByteCount = self.codec.decodedByteCount
        if let observer = self.call.observer {
            let version = head.version.description
            let byteCount = Int(headByteCount)
            observer.didReach(.answered(statusCode: head.statusCode, version: version, headByteCount: byteCount))
        }
        let (url, tls) = (self.call.request.url, self.slot.tls)
        let trailers = self.codec.mayHaveTrailers ? Response.Trailers() : nil
        let response = Response(url: url, head: head, isReused: self.slot.isReused, tls: tls, trailers: trailers)
        if let upgrade = self.codec.upgrade(by: head, in: self.slot) {
            self.call.observer?.didReach(.finished(bodyByteCount: 0))
            return HTTPReply(response: response, body: ResponseBody(ByteBuffer()), upgrade: upgrade)
        }
        if self.driver?.isRequestComplete ?? true, let bytes = self.codec.takeWholeBody() {
            trailers?.receive(self.codec.trailers)
            if let observer = self.call.observer {
                observer.didReceive(Int64(bytes.readableBytes), of: head.contentLength)
                observer.didReach(.finished(bodyByteCount: self.codec.decodedByteCount - headByteCount))
            }
            self.endWithHead(self.codec.isReusable)
            return HTTPReply(response: response, body: ResponseBody(bytes))
        }
        let driver: ExchangeDriver<Codec>
        if let sending = self.driver {
            driver = sending
            driver.keep(self.codec)
        } else {
            // Releases the body of the request, so that a long download does not keep it in memory. The condition avoids
            // a copy of calls that have no body.
            if self.call.request.body != nil { self.call.request.body = nil }
            driver = ExchangeDriver(reading: self.codec, for: self.call, in: self.slot)
        }
        let source = ExchangeBodySource(driver, headByteCount, response: response)
        return HTTPReply(response: response, body: ResponseBody(source))
    }

    private func endWithHead(_ isReusable: Bool) {
        if let driver {
            _ = driver.responseEnded(isReusable: isReusable)  // its sender has ended, so there is no wait
            return
        }
        guard !isReusable else { return self.slot.giveBack() }
        self.codec.control.abort()
        self.slot.discard()
    }

    // MARK: Failures

    private func failure(of error: ClientError) -> ExchangeFailure {
        let delivery = self.delivery(at: error)
        guard case .connectionLost(let reason, _) = error, !self.codec.hasReceived else {
            return ExchangeFailure(
                error,
                delivered: delivery,
                requiresHTTP1: self.codec.requiresHTTP1,
                hasReadBody: self.hasReadBody
            )
        }
        // A server that resets a stream is alive, so its connection is not stale.
        let isReset = if case .streamReset = reason { true } else { false }
        return ExchangeFailure(
            error,
            delivered: delivery,
            isStale: self.slot.wasIdle && !isReset,
            // Since the pool granted the slot, other exchanges may have taken all streams of the session, or the
            // session may have ended.
            isLate: self.slot.pooled.session.isMultiplexed && delivery == .notSent,
            requiresHTTP1: self.codec.requiresHTTP1,
            hasReadBody: self.hasReadBody
        )
    }

    private func delivery(at error: ClientError) -> ClientError.Delivery {
        if error.context.delivery == .refused { return .refused }
        return self.codec.hasSent ? .unknown : .notSent
    }
}
