// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernRequests
import TernRetry

extension UploadStateMachine {
    /// Records the final response; the driver follows redirects only of ``UploadRequest/Purpose/create``, and reports the last
    /// response.
    package mutating func received(
        _ response: UploadResponse,
        now: HTTPDate,
        using generator: inout some RandomNumberGenerator
    ) -> UploadStep {
        guard case .requesting(let request) = self.state else { self.unexpected("received") }
        self.noteSentBytes(of: request)
        let report = self.dialect.report(response.fields, now: now)
        self.limits.merge(report.limits)
        self.expirationDate = report.expirationDate ?? self.expirationDate
        let exchange = self.exchange(request)
        if exchange.completes { self.lastStatus = response.status }
        let decision = self.dialect.decision(about: response, to: exchange)
        if let outcome = self.outcomeAfterCancelling, self.isSettled(by: decision, outcome) {
            return self.finish(outcome)
        }
        switch decision {
        case .unavailable(let status):
            let delay = Self.requestedDelay(of: response, now)
            return self.wait(delay, after: status, request, using: &generator)
        case .redirect(let url, let isPermanent): return self.follow(url, isPermanent: isPermanent, request)
        case .fail(let failure): return self.fail(failure)
        case .cancelled: return self.finish(.cancelled)
        case .answer(let answer):
            // A server that refuses the upload has answered it, too.
            let isAccepted = 200..<300 ~= response.status
            if isAccepted { self.acknowledged = self.length }
            return self.finish(.answered(answer), isAccepted: isAccepted)
        case .created, .appended, .located, .completed, .conflict, .gone, .tooLarge, .checksumMismatch:
            do throws(UploadViolation) {
                return try self.proceed(decision, request, now: now)
            } catch {
                return self.fail(.violation(error))
            }
        }
    }

    func exchange(_ request: UploadRequest) -> UploadExchange {
        UploadExchange(
            request,
            fileByteCount: self.length,
            location: self.location,
            transientStatusCodes: self.configuration.policy.statusCodes
        )
    }

    /// If the client cancels the upload because of a failure, every response ends the call with that failure.
    private func isSettled(by decision: UploadDecision, _ outcome: UploadOutcome) -> Bool {
        switch decision {
        case .cancelled: true
        default: outcome != .cancelled
        }
    }

    // MARK: The upload goes on

    private mutating func proceed(
        _ decision: UploadDecision,
        _ request: UploadRequest,
        now: HTTPDate
    ) throws(UploadViolation) -> UploadStep {
        switch decision {
        case .created(let url, let offset):
            if self.location == nil { (self.location, self.creationDate) = (url, now) }
            if let offset { try self.acknowledge(offset, upTo: request.body?.upperBound ?? 0) }
            (self.offset, self.mayBeComplete) = (offset, false)
            return self.advance()
        case .appended(let offset): return try self.appended(offset, request)
        case .located(let offset, let isComplete):
            let isFirst = self.lastRecord.map { self.stored == .usable($0) } ?? false
            try self.acknowledge(offset, upTo: self.length)
            if isFirst, self.resumedByteCount == 0 { self.resumedByteCount = offset }
            guard !isComplete else { return self.finishWithoutAnswer() }
            (self.offset, self.mayBeComplete) = (offset, false)
            return self.advance()
        case .completed: return self.finishWithoutAnswer()
        case .conflict:
            self.conflictCount += 1
            guard self.conflictCount <= Self.maximumConflictCount else { return self.stop(.conflict) }
            self.offset = nil
            return self.advance()
        case .checksumMismatch:
            self.mismatchCount += 1
            guard self.mismatchCount <= Self.maximumMismatchCount else { return self.stop(.checksumMismatch) }
            // The server has discarded the part. Ask for the offset, which is where the next request must begin.
            self.offset = nil
            return self.advance()
        case .gone: return self.replaceLostUpload()
        case .tooLarge: return self.shrink(request)
        default: self.unexpected("proceed")
        }
    }

    private mutating func finishWithoutAnswer() -> UploadStep {
        self.finish(.completedWithoutAnswer(lastStatus: self.lastStatus), isAccepted: true)
    }

    private mutating func appended(_ offset: Int64?, _ request: UploadRequest) throws(UploadViolation) -> UploadStep {
        let end = request.body?.upperBound ?? self.length
        if let offset { try self.acknowledge(offset, upTo: end) }
        (self.offset, self.mayBeComplete) = (offset, false)
        guard offset != end || end == self.length else { return self.advance() }
        // The server took less than was sent, or does not answer a request that completes the upload. Count that as a
        // failed attempt, so that the server cannot keep the call alive without end.
        self.failedAttemptCount += 1
        guard self.failedAttemptCount < self.configuration.policy.maximumAttemptCount else {
            return self.stop(.conflict)
        }
        return self.advance()
    }

    /// Records that the server has all bytes before an offset; throws if it has lost bytes, or claims some that it cannot have.
    mutating func acknowledge(_ offset: Int64, upTo end: Int64) throws(UploadViolation) {
        // "Representation data processed by the upload resource cannot be removed again and, therefore, the offset MUST
        // NOT decrease" (draft §4.1.1).
        guard offset >= self.acknowledged else {
            throw .offsetDecreased(acknowledged: self.acknowledged, received: offset)
        }
        guard offset <= end else { throw .offsetPastEnd(end: end, received: offset) }
        self.acknowledged = offset
        if offset - self.progressMark >= ResumptionPolicy.progressByteCount {
            (self.progressMark, self.failedAttemptCount, self.conflictCount, self.mismatchCount) = (offset, 0, 0, 0)
        }
    }

    /// Creates another upload in place of one that the server has lost, or ends the call if that is not allowed.
    private mutating func replaceLostUpload() -> UploadStep {
        guard !self.mayBeComplete || self.configuration.isRepeatable else { return self.drop(.completionUnknown) }
        guard !self.hasLostUpload else { return self.drop(.lostTwice) }
        self.hasLostUpload = true
        return self.beginAgain(because: .gone)
    }

    private mutating func follow(_ url: UploadURL, isPermanent: Bool, _ request: UploadRequest) -> UploadStep {
        self.redirectCount += 1
        guard self.redirectCount <= Self.maximumRedirectCount else { return self.stop(.violation(.tooManyRedirects)) }
        if isPermanent { self.location = url }
        let steps = self.recordSteps(completing: self.exchange(request).completes)
        return self.settle(steps, .send(self.redirected(request, to: url), after: .zero))
    }

    // MARK: The server refuses for now

    private mutating func wait(
        _ delay: Duration?,
        after status: Int,
        _ request: UploadRequest,
        using generator: inout some RandomNumberGenerator
    ) -> UploadStep {
        let refusal = self.refusal(status, request)
        guard delay ?? .zero <= self.configuration.policy.maximumRetryAfter, self.mayRepeat(request) else {
            return refusal.isAnswer ? self.finish(refusal) : self.stop(.refused(status: status))
        }
        return self.tryAgain(request, after: delay ?? .zero, else: refusal, using: &generator)
    }

    /// Returns the outcome after the last attempt: without a named upload, the response is the answer of the call, except with
    /// tus.
    private func refusal(_ status: Int, _ request: UploadRequest) -> UploadOutcome {
        let isPlain = request.purpose == .create && self.location == nil && self.dialect.completesExplicitly
        return isPlain ? .answered(.plain) : .failed(.refused(status: status))
    }

    private static func requestedDelay(of response: UploadResponse, _ now: HTTPDate) -> Duration? {
        let serverTime = response.fields[.date].flatMap { HTTPDate($0, now: now) } ?? now
        return response.fields[.retryAfter].flatMap { RetryAfter($0, now: now) }?.delay(from: serverTime)
    }
}

extension UploadOutcome {
    var isAnswer: Bool { if case .answered = self { true } else { false } }
}
