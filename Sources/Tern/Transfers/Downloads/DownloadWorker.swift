// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernTransfers
import TernTransport

/// Performs the steps of one worker of a durable download: requests and receives one range after the other.
struct DownloadWorker: Sendable {
    private let number: Int
    private let shared: SharedDownload
    private let stages: NextStages
    private let writer: PartialFileWriter
    private var call: HTTPCall
    /// The response whose body is being read.
    private var reply: HTTPReply?
    /// The reason that the next request repeats the last one; `nil` if it only follows.
    private var cause: RetryCause?

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - number: The number that ``DownloadStateMachine`` has given the worker.
    ///   - shared: The download.
    ///   - reply: The response that the worker receives first. Defaults to `nil`.
    init(_ number: Int, of shared: SharedDownload, _ reply: HTTPReply? = nil) {
        let download = shared.download
        self.number = number
        self.shared = shared
        self.stages = download.stages
        self.writer = download.writer
        self.call = download.call
        self.reply = reply
    }

    /// Performs a step and those that follow.
    mutating func run(_ first: WorkerStep) async {
        var step = first
        while true {
            switch step {
            case .send(let part, let delay): step = await self.send(part, after: delay)
            case .receive: step = await self.receive()
            case .leave: return
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
            attempt.separate()
            attempt.delegation?.replace(with: attempt.request)
            let reply = try await self.stages.respond(to: attempt)
            self.reply = reply
            return self.received(reply.response.statusCode, reply.response.fields, .response(reply.response))
        } catch {
            // The client's own rules may refuse a status that the machine can use, such as 416 or 503.
            if case .validationFailed(let refusal, let context) = error, case .status(let code) = refusal.rule {
                return self.received(code, context.response?.headerFields ?? [:], .failure(error), error)
            }
            return self.cut(by: error)
        }
    }

    private mutating func received(
        _ status: Int,
        _ fields: HTTPFields,
        _ cause: RetryCause,
        _ error: ClientError? = nil
    ) -> WorkerStep {
        let (number, now, response) = (self.number, self.call.clock.date, self.reply?.response)
        let step = self.record(error) { download in
            let step = download.machine.received(
                status: status,
                fields: fields,
                now: now,
                by: number,
                using: &download.generator
            )
            if case .receive = step { download.response = response }
            return step
        }
        if case .send = step { self.cause = cause }
        return step
    }

    // MARK: Receiving

    /// Writes the body of the current response to the file.
    private mutating func receive() async -> WorkerStep {
        guard let reply = self.reply else { return self.cut(by: .cancelled(self.call.context(.body))) }
        let limit = self.call.request.options.maximumBodyByteCount.map { Int64($0) } ?? .max
        if let byteCount = self.shared.completeByteCount, byteCount > limit {
            return self.cut(by: reply.tooLarge(Int(clamping: limit), self.call))
        }
        do throws(FileWriter.Failure) {
            return try await self.copy(reply)
        } catch {
            let context = self.call.context(.store, response: reply.response.httpResponse)
            guard case .file(let reason) = error else { return self.cut(by: .cancelled(context)) }
            let number = self.number
            return self.record(.fileFailed(reason, context)) { download in
                download.machine.fileFailed(by: number)
                return .leave
            }
        }
    }

    private mutating func copy(_ reply: HTTPReply) async throws(FileWriter.Failure) -> WorkerStep {
        let number = self.number
        var reader = reply.body.makeReader()
        while true {
            let bytes: ByteBuffer?
            do throws(ClientError) {
                bytes = try await reader.next(atLeast: HTTPReply.gatheredByteCount)
            } catch {
                guard case .digestFailed = error else { return self.cut(by: error) }
                return self.record(error) { download in
                    download.machine.damaged(by: number)
                    return .leave
                }
            }
            guard let bytes else { break }
            let byteCount = bytes.readableBytes
            let (position, keepsReply) = self.shared.record(reply, nil) { download in
                download.machine.arrived(byteCount: byteCount, by: number)
            }
            guard let position else {
                if !keepsReply { reply.body.discard() }
                self.reply = nil
                return .leave
            }
            try await self.writer.write(bytes, at: position)
            try self.shared.wrote(byteCount: byteCount, by: number)
        }
        return self.record { download in
            download.machine.bodyEnded(trailers: reply.response.trailers, by: number, using: &download.generator)
        }
    }

    // MARK: Events

    /// Records that an exchange failed.
    private mutating func cut(by error: ClientError) -> WorkerStep {
        self.cause = .failure(error)
        let number = self.number
        return self.record(error) { download in
            download.machine.cut(by: error, by: number, using: &download.generator)
        }
    }

    /// Records an event; see ``SharedDownload/record(_:_:_:)``.
    ///
    /// A worker that leaves discards its response, unless the download has kept it.
    private mutating func record(
        _ error: ClientError? = nil,
        _ event: (inout DurableDownload) -> WorkerStep
    ) -> WorkerStep {
        let (step, keepsReply) = self.shared.record(self.reply, error, event)
        if keepsReply { self.reply = nil }
        if case .leave = step { self.discardReply() }
        return step
    }

    /// Discards the rest of the current response, if any.
    private mutating func discardReply() {
        self.reply?.body.discard()
        self.reply = nil
    }
}
