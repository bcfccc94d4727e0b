// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernRequests
import TernTransfers
import TernTransport

/// Performs the steps of a ``DownloadStateMachine``: sends its requests, and writes its file.
struct DurableDownload: Sendable {
    let stages: NextStages
    let destination: URL
    let writer: PartialFileWriter
    /// The functions of the owner of the call; `nil` if it has none.
    let hooks: TransferHooks?
    /// The maximum number of bytes of a refused response's body that the error keeps.
    let keptByteCount: Int

    var call: HTTPCall
    var machine: DownloadStateMachine
    var generator = SystemRandomNumberGenerator()
    /// The response that the machine decides about, or whose body is being read.
    var reply: HTTPReply?
    /// The last failure of an exchange or of the file.
    var failure: ClientError?
    /// The cause of the next request, if it repeats another one.
    var cause: RetryCause?
    /// The last response with content.
    var response: Response?
    /// The time of the next synchronization, which begins earlier if enough bytes arrive.
    var synchronizationTime: ClockInstant

    private var resumedByteCount: Int64 = 0
    private var restart: DownloadRestart?

    /// Opens the partial file.
    ///
    /// - Parameters:
    ///   - call: The call, whose request is for the whole file.
    ///   - destination: The location of the complete file.
    ///   - policy: The rules after an interruption.
    ///   - digest: The digest that the caller expects, if any.
    ///   - stages: The stages that each request of the call passes.
    ///   - keptByteCount: The maximum number of bytes of a refused response's body that the error keeps.
    ///   - maximumRequestCount: The maximum number of requests at the same time. Defaults to 1.
    ///   - hooks: The functions of the owner of the call. Defaults to `nil`.
    ///   - syncInterval: The number of bytes to write before a synchronization. Defaults to 64 MiB; tests pass less.
    ///   - pieces: The lengths of the ranges if there are several requests. Tests pass shorter ones.
    /// - Throws: `ClientError.fileFailed`.
    init(
        _ call: HTTPCall,
        to destination: URL,
        resuming policy: ResumptionPolicy,
        expecting digest: TransferDigest?,
        stages: NextStages,
        keptByteCount: Int,
        maximumRequestCount: Int = 1,
        hooks: TransferHooks? = nil,
        syncInterval: Int64 = DownloadStateMachine.defaultSyncInterval,
        pieces: PieceLength = PieceLength()
    ) async throws(ClientError) {
        do throws(FileFailure) {
            self.writer = PartialFileWriter(try await PartialFile.open(for: destination))
        } catch {
            throw .fileFailed(error, call.context(.prepare))
        }
        self.call = call
        self.destination = destination
        self.stages = stages
        self.keptByteCount = keptByteCount
        self.hooks = hooks
        self.synchronizationTime = call.clock.now.advanced(by: Self.synchronizationPeriod)
        let file = self.writer.file
        self.machine = DownloadStateMachine(
            source: TransferResource(call.destination),
            fileName: file.names.partial,
            stored: file.stored,
            found: file.found,
            expecting: digest,
            policy: policy,
            syncInterval: syncInterval,
            maximumRequestCount: maximumRequestCount,
            pieces: pieces
        )
        self.machine.confirms = hooks != nil
    }

    /// Downloads the file.
    mutating func run() async throws(ClientError) -> ResumedDownload {
        var step = self.machine.start()
        self.machine.fileNumber = self.writer.file.number
        self.resumedByteCount = self.machine.progress.completedByteCount
        while true {
            switch step {
            case .send(let part, let delay): step = await self.send(part, after: delay)
            case .perform(let action): step = await self.perform(action)
            case .receive(let reception):
                self.begin(reception)
                step = await self.receive(reception)
            case .work(let reception):
                self.begin(reception)
                step = await self.work(reception)
            case .end(let outcome):
                let result = await self.result(of: outcome)
                self.discardReply()
                await self.writer.finish()
                return try result.get()
            }
        }
    }

    /// Notes what the next body means for the result of the call.
    private mutating func begin(_ reception: Reception) {
        self.response = self.reply?.response
        guard let reason = reception.restart else { return }
        self.restart = DownloadRestart(reason)
        self.resumedByteCount = 0
    }

    /// Discards the rest of the current response, if any.
    mutating func discardReply() {
        self.reply?.body.discard()
        self.reply = nil
    }

    private mutating func perform(_ step: FileStep) async -> DownloadStep {
        do throws(FileWriter.Failure) {
            if case .checkDigest(let digest) = step {
                return self.machine.digestChecked(matches: try await self.writer.matches(digest))
            }
            if let failure = self.refusal(of: step) {
                self.failure = failure
                return self.machine.fileFailed()
            }
            if case .confirm = step {
                try await self.confirm()
            } else {
                try await self.writer.perform(step)
            }
            return self.machine.performed()
        } catch {
            return self.fileFailed(error)
        }
    }

    /// Returns the error if an action would reserve more space than the request allows.
    private func refusal(of step: FileStep) -> ClientError? {
        guard case .reserve(let byteCount) = step, let limit = self.call.request.options.maximumBodyByteCount,
            byteCount > limit
        else { return nil }
        return self.reply?.tooLarge(limit, self.call)
    }

    private func confirm() async throws(FileWriter.Failure) {
        do throws(FileFailure) {
            try await self.hooks?.confirm(self.response, self.machine.progress.completedByteCount)
        } catch {
            throw .file(error)
        }
    }

    /// Records that writing the file failed or was cancelled.
    mutating func fileFailed(_ failure: FileWriter.Failure) -> DownloadStep {
        let context = self.call.context(.store, response: self.reply?.response.httpResponse)
        switch failure {
        case .cancelled: self.failure = .cancelled(context)
        case .file(let reason): self.failure = .fileFailed(reason, context)
        }
        return self.machine.fileFailed()
    }

    // MARK: The result

    private func result(of outcome: DownloadOutcome) async -> Result<ResumedDownload, ClientError> {
        switch outcome {
        case .complete(let byteCount):
            let download = ResumedDownload(
                location: self.destination,
                byteCount: byteCount,
                resumedByteCount: self.resumedByteCount,
                restart: self.restart,
                concurrentRequestCount: self.machine.concurrentRequestCount,
                response: self.response
            )
            return .success(download)
        case .failed(let failure): return .failure(await self.error(for: failure))
        }
    }

    private func error(for failure: DownloadFailure) async -> ClientError {
        let context = self.call.context(.store, response: self.reply?.response.httpResponse)
        switch failure {
        case .status(let code): return await self.refusal(code)
        case .restartedTwice(let reason):
            let violation = reason.violation
            return .protocolViolation(section: violation.section, reason: violation.reason, context)
        case .violation(let violation):
            return .protocolViolation(
                section: "RFC 9110 \(violation.section)",
                reason: violation.wording,
                context
            )
        case .digestMismatch(let algorithm, .caller):
            return .digestFailed(.unexpected(algorithm: algorithm.rawValue), context)
        case .digestMismatch(let algorithm, .server):
            let field = "Repr-Digest or Content-Digest"
            return .digestFailed(.mismatch(algorithm: algorithm.rawValue, field: field), context)
        case .interrupted, .fileFailed:
            return self.failure ?? .cancelled(context)
        }
    }

    /// Returns the error for a response that, because of its status, contains no part of the file.
    private func refusal(_ code: Int) async -> ClientError {
        guard let reply = self.reply else {
            return self.failure ?? .validationFailed(ValidationFailure(.status(code)), self.call.context(.validate))
        }
        do throws(ClientError) {
            let kept = try await BodyExcerpt.reading(reply.body, limit: self.keptByteCount, for: self.call)
            let failure = ValidationFailure(.status(code), body: kept.bytes, isBodyComplete: kept.isComplete)
            return .validationFailed(failure, self.call.context(.validate, response: reply.response.httpResponse))
        } catch {
            return error
        }
    }
}
