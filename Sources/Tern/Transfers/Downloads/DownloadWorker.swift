// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernRetry
import TernTransfers
import TernTransport

/// Performs the steps of one worker of a durable download: sends requests, and writes the bodies of their responses.
struct DownloadWorker: Sendable {
    /// The remains of a worker that has made all workers leave.
    struct Remains: Sendable {
        let number: Int
        /// The response that the machine decides about, or whose body was being read.
        let reply: HTTPReply?
        let error: ClientError?
        let cause: RetryCause?
    }

    private let number: Int
    private let shared: SharedDownload
    /// Whether the missing bytes are divided among several workers, of which the others may have left.
    private let isDivided: Bool
    private var call: HTTPCall
    private var reply: HTTPReply?
    private var cause: RetryCause?
    private var remains: Remains?

    init(
        _ number: Int,
        of shared: SharedDownload,
        isDivided: Bool,
        _ reply: HTTPReply? = nil,
        because cause: RetryCause? = nil
    ) {
        self.number = number
        self.shared = shared
        self.isDivided = isDivided
        self.call = shared.call
        self.reply = reply
        self.cause = cause
    }

    /// Performs a step and those that follow; `nil` if the worker has not made all workers leave.
    mutating func run(_ first: WorkerStep) async -> Remains? {
        var step = first
        while true {
            switch step {
            case .send(let part, let delay): step = await self.send(part, after: delay)
            case .receive(let reception): step = await self.receive(reception)
            case .leave: return self.remains
            }
        }
    }

    // MARK: Sending

    private mutating func send(_ part: PartRequest, after delay: Duration) async -> WorkerStep {
        self.discardReply()
        do throws(ClientError) {
            try await self.call.waitForNextAttempt(after: delay, because: self.cause)
            self.cause = nil
            self.call = self.shared.beginAttempt()
            var attempt = self.call.requesting(part)
            if self.isDivided { attempt.separate() }
            attempt.delegation?.replace(with: attempt.request)
            let reply = try await self.shared.stages.respond(to: attempt)
            self.reply = reply
            return self.received(reply.response.statusCode, reply.response.fields)
        } catch {
            // The client's own rules may refuse a status that the machine can use, such as 416 or 503.
            if case .validationFailed(let refusal, let context) = error, case .status(let code) = refusal.rule {
                return self.received(code, context.response?.headerFields ?? [:], error)
            }
            return self.cut(by: error)
        }
    }

    private mutating func received(_ status: Int, _ fields: HTTPFields, _ error: ClientError? = nil) -> WorkerStep {
        let (number, now) = (self.number, self.call.clock.date)
        let cause = self.retryCause(error)
        let step = self.record(error) { machine, generator in
            machine.received(status: status, fields: fields, now: now, by: number, using: &generator)
        }
        if case .send = step { self.cause = cause }
        return step
    }

    // MARK: Receiving

    private mutating func receive(_ reception: Reception) async -> WorkerStep {
        guard let reply = self.reply else { return self.cut(by: .cancelled(self.call.context(.body))) }
        let limit = self.call.request.options.maximumBodyByteCount
        if let limit {
            let bodyEnd = reception.end ?? reply.body.length.map { reception.offset + $0 }
            if let end = self.shared.progress.totalByteCount ?? bodyEnd, end > Int64(limit) {
                return self.cut(by: reply.tooLarge(limit, self.call))
            }
        }
        do throws(FileWriter.Failure) {
            return try await self.copy(reply, reception, limit: limit ?? .max)
        } catch {
            guard case .file(let reason) = error else {
                // What has arrived counts for a later call, apart from a piece that waited for the disk: it is requested again.
                return self.cut(by: .cancelled(self.call.context(.body, response: reply.response.httpResponse)))
            }
            let (number, context) = (self.number, self.call.context(.store, response: reply.response.httpResponse))
            return self.record(.fileFailed(reason, context)) { machine, _ in machine.writeFailed(by: number) }
        }
    }

    private mutating func copy(
        _ reply: HTTPReply,
        _ reception: Reception,
        limit: Int
    ) async throws(FileWriter.Failure) -> WorkerStep {
        let number = self.number
        var position = BodyPosition(reception)
        var reader = reply.body.makeReader()
        while true {
            let bytes: ByteBuffer?
            do throws(ClientError) {
                bytes = try await reader.next(atLeast: HTTPReply.gatheredByteCount)
            } catch {
                guard case .digestFailed = error else { return self.cut(by: error) }
                return self.record(error) { machine, _ in machine.damaged(by: number) }
            }
            guard let bytes else { break }
            guard let range = position.next(byteCount: bytes.readableBytes) else {
                return self.record { machine, _ in machine.bodyTooLong(by: number) }
            }
            guard range.upperBound <= Int64(limit) else { return self.cut(by: reply.tooLarge(limit, self.call)) }
            try await self.shared.writer.write(bytes, at: range.lowerBound)
            guard try self.shared.wrote(range, by: number) else {
                self.discardReply()
                return .leave
            }
        }
        let (end, trailers) = (position.offset, reply.response.trailers)
        return self.record(ifFinal: self.shortfall(of: reply, reception, at: end)) { machine, generator in
            machine.bodyEnded(at: end, trailers: trailers, by: number, using: &generator)
        }
    }

    /// Returns the error if a body that has ended in order has too few bytes, and no other request follows.
    private func shortfall(of reply: HTTPReply, _ reception: Reception, at end: Int64) -> ClientError {
        // A body may be as long as announced, but shorter than the range that was requested.
        let announced = reception.end.flatMap { $0 == end ? nil : $0 - reception.offset }
        let context = self.call.context(.body, response: reply.response.httpResponse)
        return .truncated(received: end - reception.offset, expected: announced, context)
    }

    // MARK: Events

    private mutating func cut(by error: ClientError) -> WorkerStep {
        self.cause = .failure(error)
        let number = self.number
        return self.record(error) { machine, generator in machine.cut(by: error, by: number, using: &generator) }
    }

    /// Records an event; a worker that makes all workers leave hands over its response and the error.
    private mutating func record(
        _ error: ClientError? = nil,
        ifFinal finalError: ClientError? = nil,
        _ event: (inout DownloadStateMachine, inout SystemRandomNumberGenerator) -> WorkerStep
    ) -> WorkerStep {
        let (step, endingNumber) = self.shared.record(self.reply?.response, event)
        if endingNumber == self.number {
            let (reply, cause) = (self.reply, self.retryCause(error))
            self.remains = Remains(number: self.number, reply: reply, error: error ?? finalError, cause: cause)
            self.reply = nil
        }
        if case .leave = step { self.discardReply() }
        return step
    }

    private func retryCause(_ error: ClientError?) -> RetryCause? {
        error.map { .failure($0) } ?? self.reply.map { .response($0.response) }
    }

    private mutating func discardReply() {
        self.reply?.body.discard()
        self.reply = nil
    }
}

extension HTTPCall {
    /// Returns the call with the fields of a request, which the download itself repeats in place of the stage `Retry`.
    fileprivate func requesting(_ part: PartRequest) -> HTTPCall {
        var call = self
        for field in part.fields { call.request.fields[field.name] = field.value }
        call.request.options.decodesContent = false
        call.request.options.bypassesCache = true
        call.request.options.retry = RetryPolicy(maximumAttemptCount: 1)
        return call
    }
}
