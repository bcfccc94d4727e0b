// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernRetry
import TernTransfers
import TernTransport

extension DurableDownload {
    /// The time after which to synchronize what has arrived, even if it is little.
    ///
    /// So a process that ends on a slow line loses about a second of its work.
    static let synchronizationPeriod = Duration.seconds(1)

    // MARK: Sending

    /// Waits, sends a request, and returns the step that follows from its response or its failure.
    mutating func send(_ part: PartRequest, after delay: Duration) async -> DownloadStep {
        self.discardReply()
        do throws(ClientError) {
            try await self.prepareAttempt(after: delay)
            let attempt = self.call.requesting(part)
            attempt.delegation?.replace(with: attempt.request)
            let reply = try await self.stages.respond(to: attempt)
            self.reply = reply
            self.cause = .response(reply.response)
            return self.received(reply.response.statusCode, reply.response.fields)
        } catch {
            // The client's own rules may refuse a status that the machine can use, such as 416 or 503.
            if case .validationFailed(let refusal, let context) = error, case .status(let code) = refusal.rule {
                (self.failure, self.cause) = (error, .failure(error))
                return self.received(code, context.response?.headerFields ?? [:])
            }
            return self.cut(by: error)
        }
    }

    private mutating func received(_ status: Int, _ fields: HTTPFields) -> DownloadStep {
        self.machine.received(status: status, fields: fields, now: self.call.clock.date, using: &self.generator)
    }

    /// Records that an exchange failed.
    mutating func cut(by error: ClientError) -> DownloadStep {
        (self.failure, self.cause) = (error, .failure(error))
        return self.machine.cut(by: error, using: &self.generator)
    }

    /// Tells the delegates about a repetition, and waits before it.
    private mutating func prepareAttempt(after delay: Duration) async throws(ClientError) {
        guard let cause = self.cause else { return }
        try await self.call.beginNextAttempt(after: delay, because: cause)
        self.cause = nil
    }

    // MARK: Receiving

    /// Writes the body of the current response to the file.
    mutating func receive(_ reception: Reception) async -> DownloadStep {
        guard let reply = self.reply else { return self.fileFailed(.cancelled) }
        let limit = self.call.request.options.maximumBodyByteCount.map { Int64($0) } ?? .max
        if let end = reception.end ?? reply.body.length.map({ reception.offset + $0 }), end > limit {
            return self.cut(by: reply.tooLarge(Int(clamping: limit), self.call))
        }
        do throws(FileWriter.Failure) {
            return try await self.copy(reply, limit: limit)
        } catch {
            guard case .cancelled = error else { return self.fileFailed(error) }
            return await self.cancelled(during: reply)
        }
    }

    /// Keeps the bytes that had arrived when the task was cancelled during a wait for the disk.
    private mutating func cancelled(during reply: HTTPReply) async -> DownloadStep {
        do throws(FileWriter.Failure) {
            // Two actions must not write a record at the same time.
            try await self.settle()
        } catch {
            return self.fileFailed(error)
        }
        return self.cut(by: .cancelled(self.call.context(.body, response: reply.response.httpResponse)))
    }

    /// Waits until everything that has arrived is written.
    ///
    /// If a synchronization has ended, this method also writes its record.
    mutating func settle() async throws(FileWriter.Failure) {
        guard try await self.writer.settle() else { return }
        for step in self.machine.synced() { try await self.writer.perform(step) }
    }

    /// Records that a piece was queued to be written, reports the progress, and synchronizes the file if it is time.
    ///
    /// - Parameter wrote: Tells the machine about the piece, and whether a synchronization is due; returns whether to
    ///   begin one.
    /// - Throws: The failure of a synchronization, or of an action after it.
    mutating func wrotePiece(
        _ wrote: (inout DownloadStateMachine, _ isDue: Bool) -> Bool
    ) throws(FileWriter.Failure) {
        let now = self.call.clock.now
        if wrote(&self.machine, now >= self.synchronizationTime) {
            self.synchronizationTime = now.advanced(by: Self.synchronizationPeriod)
            self.writer.beginSynchronization()
        }
        self.reportProgress()
        if try self.writer.takeEndOfSynchronization() { self.writer.performLater(self.machine.synced()) }
    }

    /// Tells the delegates how much of the file has arrived, in this call and in earlier ones.
    private func reportProgress() {
        guard self.call.delegation != nil || self.hooks != nil else { return }
        let count = self.machine.progress
        let progress = TransferProgress(byteCount: count.completedByteCount, totalByteCount: count.totalByteCount)
        self.hooks?.progress(progress, progress.byteCount)
        self.call.delegation?.report(progress)
    }

    private mutating func copy(
        _ reply: HTTPReply,
        limit: Int64
    ) async throws(FileWriter.Failure) -> DownloadStep {
        var reader = reply.body.makeReader()
        while true {
            let bytes: ByteBuffer?
            do throws(ClientError) {
                bytes = try await reader.next(atLeast: HTTPReply.gatheredByteCount)
            } catch {
                guard case .digestFailed = error else {
                    try await self.settle()
                    return self.cut(by: error)
                }
                _ = try await self.writer.settle()  // a record would claim damaged bytes
                self.failure = error
                return self.machine.damaged()
            }
            guard let bytes else { break }
            let byteCount = bytes.readableBytes
            let offset: Int64
            switch self.machine.arrived(byteCount: byteCount) {
            case .write(let position): offset = position
            case .refuse(let step):
                // The bytes of this body do not count, so the end of a synchronization means nothing.
                _ = try await self.writer.settle()
                return step
            }
            guard offset + Int64(byteCount) <= limit else {
                try await self.settle()
                return self.cut(by: reply.tooLarge(Int(clamping: limit), self.call))
            }
            try await self.writer.write(bytes, at: offset)
            try self.wrotePiece { $0.wrote(byteCount: byteCount, isDue: $1) }
        }
        try await self.settle()
        return self.machine.bodyEnded(trailers: reply.response.trailers, using: &self.generator)
    }
}
