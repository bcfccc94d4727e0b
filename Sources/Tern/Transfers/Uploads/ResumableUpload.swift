// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransfers
import TernTransport

/// Performs the steps of an ``UploadStateMachine``: sends its requests, and writes its record.
struct ResumableUpload {
    let stages: NextStages
    let file: URL
    let identity: FileIdentity
    let session: UploadSession
    /// The observer of the call, which knows the URL of the current request even without a delegate.
    let delegation: TaskDelegation
    let maximumBodyByteCount: Int
    let keptByteCount: Int
    /// `nil` if the client has no cache.
    let cache: CacheInvalidation?

    var call: HTTPCall
    var generator = SystemRandomNumberGenerator()
    /// The last response, and its body or the failure to read it, if it may describe a problem.
    var reply: HTTPReply?
    var body: Result<Data, ClientError>?
    /// The status and the fields of the last response, also if the client's validation rules refused it.
    var head: (statusCode: Int, fields: HTTPFields)?
    var failure: ClientError?
    var cause: RetryCause?
    var hasSent = false
    /// Whether a redirect to `GET` has answered a request, so that the server may have acted on it.
    var followsAnsweredRequest = false

    init(
        _ call: HTTPCall,
        _ delegation: TaskDelegation,
        of file: URL,
        _ configuration: UploadConfiguration,
        _ record: UploadRecordFile,
        stages: NextStages,
        limits: (bodyByteCount: Int, keptByteCount: Int),
        cache: CacheInvalidation? = nil,
        hooks: TransferHooks? = nil
    ) {
        self.call = call
        self.delegation = delegation
        self.file = file
        self.identity = configuration.file
        self.session = UploadSession(configuration, record, clock: call.clock, hooks: hooks)
        self.stages = stages
        self.cache = cache
        (self.maximumBodyByteCount, self.keptByteCount) = (max(0, limits.bodyByteCount), max(0, limits.keptByteCount))
    }

    enum Aim: Sendable {
        case complete
        case cancel
    }

    mutating func run(_ aim: Aim) async throws(ClientError) -> ResumedUpload {
        var step = self.session.update { [now = self.call.clock.date] machine in
            switch aim {
            case .complete: machine.start(now: now)
            case .cancel: machine.startCancelling()
            }
        }
        while true {
            switch step {
            case .send(let request, let delay): step = await self.send(request, after: delay)
            case .perform(let action): step = await self.perform(action)
            case .end(let outcome):
                await self.invalidateCache(by: outcome)
                let result = await self.result(of: outcome)
                self.discardReply()
                return try result.get()
            }
        }
    }

    mutating func discardReply() {
        self.reply?.body.discard()
        (self.reply, self.body) = (nil, nil)
    }

    private mutating func perform(_ step: RecordStep) async -> UploadStep {
        do throws(FileFailure) {
            if case .confirm = step {
                try await self.session.hooks?.confirm(self.identity.byteCount)
            } else {
                try await self.session.record.perform(step)
            }
            return self.session.update { machine in machine.performed() }
        } catch {
            self.failure = .fileFailed(error, self.context)
            return self.session.update { machine in machine.fileFailed() }
        }
    }

    var context: ClientError.Context { self.call.context(.send, response: self.reply?.response.httpResponse) }

    /// Removes what the cache has of the resource, as after a request to it: the answer of the resource to an upload may be the
    /// response to a request for the upload, or lost.
    private func invalidateCache(by outcome: UploadOutcome) async {
        switch outcome {
        case .answered(.resumable):
            guard let head = self.head else { return }
            try? await self.cache?.received(head.statusCode, head.fields, to: self.call)
        case .completedWithoutAnswer: try? await self.cache?.received(200, [:], to: self.call)
        case .answered(.plain), .cancelled, .failed: break
        }
    }

    // MARK: The result

    private mutating func result(of outcome: UploadOutcome) async -> Result<ResumedUpload, ClientError> {
        do throws(ClientError) {
            switch outcome {
            case .answered(let answer): return .success(try await self.answer(answer))
            case .completedWithoutAnswer, .cancelled: return .success(self.upload(Data(), nil, isResumable: true))
            case .failed(let failure): throw await self.error(for: failure)
            }
        } catch {
            var error = error
            error.context.followsAnsweredRequest = self.followsAnsweredRequest
            return .failure(error)
        }
    }

    private func answer(_ answer: UploadAnswer) async throws(ClientError) -> ResumedUpload {
        guard let reply = self.reply else { throw self.failure ?? .cancelled(self.context) }
        // The client's validation rules have refused the answer.
        if let failure = self.failure, case .validationFailed = failure { throw failure }
        let limit = self.maximumBodyByteCount
        let data: Data
        if let body = self.body {
            data = try body.get()
        } else {
            data = try await reply.collect(limit: limit, for: self.call)
        }
        guard data.count <= limit else { throw reply.tooLarge(limit, self.call) }
        return self.upload(data, reply.response, isResumable: answer == .resumable)
    }

    private func upload(_ data: Data, _ response: Response?, isResumable: Bool) -> ResumedUpload {
        let (resumedByteCount, restart) = self.session.update { ($0.resumedByteCount, $0.restart) }
        return ResumedUpload(
            data: data,
            response: response,
            byteCount: self.identity.byteCount,
            resumedByteCount: resumedByteCount,
            isResumable: isResumable,
            restart: restart.map { UploadRestart($0) }
        )
    }

    private func error(for failure: ResumableUploadFailure) async -> ClientError {
        switch failure {
        case .refused(let status): await self.refusal(status)
        case .interrupted: self.failure ?? .cancelled(self.context)
        case .fileFailed:
            self.failure ?? self.session.failure.map { .fileFailed($0, self.context) } ?? .cancelled(self.context)
        case .violation(let violation):
            .protocolViolation(section: violation.section, reason: violation.wording, self.context)
        default: .uploadFailed(UploadFailure(failure), self.context)
        }
    }

    private func refusal(_ code: Int) async -> ClientError {
        guard let reply = self.reply else {
            return self.failure ?? .validationFailed(ValidationFailure(.status(code)), self.call.context(.validate))
        }
        do throws(ClientError) {
            let failure: ValidationFailure
            if let body = self.body {
                let bytes = ((try? body.get()) ?? Data()).beginning(self.keptByteCount)
                let isComplete = (try? body.get().count) == bytes.count
                failure = ValidationFailure(.status(code), body: bytes, isBodyComplete: isComplete)
            } else {
                let kept = try await BodyExcerpt.reading(reply.body, limit: self.keptByteCount, for: self.call)
                failure = ValidationFailure(.status(code), body: kept.bytes, isBodyComplete: kept.isComplete)
            }
            return .validationFailed(failure, self.call.context(.validate, response: reply.response.httpResponse))
        } catch {
            return error
        }
    }
}
