// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
package import TernRequests
import TernRetry

extension UploadStateMachine {
    // MARK: While a request is sent

    /// Report bytes before they can reach the server: the machine assumes that a request whose bytes were not all reported has
    /// not completed the upload.
    package mutating func sent(byteCount: Int) {
        guard case .requesting(let request) = self.state, let body = request.body else { return }
        self.sentInRequest = min(self.sentInRequest + Int64(byteCount), body.upperBound - body.lowerBound)
        self.reportedByteCount = max(self.reportedByteCount, body.lowerBound + self.sentInRequest)
    }

    /// Records that the driver sends the request again from its head, after a challenge or a redirect: a creation makes a second
    /// upload with another URL, which replaces the first in the record.
    package mutating func resent() {
        guard case .requesting(let request) = self.state else { self.unexpected("resent") }
        self.noteSentBytes(of: request)
        self.sentInRequest = 0
        guard request.purpose == .create else { return }
        (self.location, self.offset, self.expirationDate) = (nil, nil, nil)
        (self.acknowledged, self.progressMark, self.limits) = (0, 0, UploadLimits())
    }

    /// Records that the server may have completed the upload, if all content of a request that completes it was sent.
    mutating func noteSentBytes(of request: UploadRequest) {
        guard let body = request.body, body.upperBound == self.length,
            self.sentInRequest == body.upperBound - body.lowerBound
        else { return }
        self.mayBeComplete = true
    }

    /// Records an informational response; `isDue` tells that enough time has passed for another record.
    package mutating func informed(_ notice: UploadNotice, now: HTTPDate, isDue: Bool = false) -> InformationalAction {
        guard case .requesting(let request) = self.state, let body = request.body, self.dialect.accepts(notice) else {
            return .proceed([])
        }
        let report = self.dialect.report(notice.fields, now: now)
        self.limits.merge(report.limits)
        self.expirationDate = report.expirationDate ?? self.expirationDate
        do throws(ResumableUploadFailure) {
            if request.purpose == .create { try self.adoptLocation(in: notice, now: now) }
            guard self.location != nil else { return .proceed([]) }
            try self.checkLimits()
            do throws(UploadViolation) {
                if let offset = report.offset { try self.acknowledge(offset, upTo: body.upperBound) }
            } catch {
                throw .violation(error)
            }
        } catch {
            self.noteSentBytes(of: request)
            return .abort(self.giveUp(error))
        }
        if let maximum = self.limits.maximumPartByteCount, maximum < body.upperBound - body.lowerBound {
            // The server may refuse the content after it has received all of it. So cancel the request, and send the
            // missing bytes in parts.
            self.noteSentBytes(of: request)
            return .abort(self.shrink(request))
        }
        let steps = self.recordSteps(completing: body.upperBound == self.length, isDue: isDue)
        for case .write(let record) in steps { (self.hasRecord, self.lastRecord) = (true, record) }
        return .proceed(steps)
    }

    /// Adopts the URL of the upload from a 104, which responds to the request that creates the upload.
    private mutating func adoptLocation(in notice: UploadNotice, now: HTTPDate) throws(ResumableUploadFailure) {
        let values = notice.fields[values: .location]
        // Later informational responses have only the offset. A URL that cannot be used is ignored: the upload goes on
        // as a plain one.
        guard values.count == 1, let url = try? UploadURL(location: values[0], relativeTo: notice.url) else { return }
        guard let location = self.location else {
            (self.location, self.creationDate) = (url, now)
            return
        }
        // "All interim and final response messages for the same request MUST contain an identical Location value […].
        // If verification fails, clients SHOULD abort the current request and cancel the upload" (draft §4.2.2).
        guard location == url else { throw .violation(.location(.changed)) }
    }

    // MARK: Interruptions

    /// Makes another attempt, unless the error is not retryable, or the server may have received a request that must not be sent
    /// twice.
    package mutating func cut(by error: ClientError, using generator: inout some RandomNumberGenerator) -> UploadStep {
        guard case .requesting(let request) = self.state else { self.unexpected("cut") }
        self.noteSentBytes(of: request)
        if let outcome = self.outcomeAfterCancelling, outcome != .cancelled { return self.finish(outcome) }
        guard error.isRetryable, self.mayRepeat(request) || error.context.delivery != .unknown else {
            return self.stop(.interrupted)
        }
        return self.tryAgain(request, after: .zero, else: .failed(.interrupted), using: &generator)
    }

    /// Returns whether another attempt may follow a request that the server may have received: always if the server has named the
    /// upload; otherwise if the creation is repeatable, or if the dialect allows it before the last byte.
    package func mayRepeat(_ request: UploadRequest) -> Bool {
        guard request.purpose == .create, self.location == nil else { return true }
        return self.configuration.isRepeatable
            || self.dialect.mayRepeatCreation && request.body?.upperBound != self.length
    }

    /// Makes another attempt; after too many failed ones, ends the call with `outcome`.
    mutating func tryAgain(
        _ request: UploadRequest,
        after delay: Duration,
        else outcome: UploadOutcome,
        using generator: inout some RandomNumberGenerator
    ) -> UploadStep {
        self.failedAttemptCount += 1
        guard self.failedAttemptCount < self.configuration.policy.maximumAttemptCount else {
            if case .failed(let failure) = outcome { return self.stop(failure) }
            return self.finish(outcome)
        }
        let backoff = self.configuration.policy.backoff.delay(before: self.failedAttemptCount, using: &generator)
        if request.purpose == .cancel { return self.settle([], .send(request, after: delay + backoff)) }
        self.offset = nil
        return self.advance(after: delay + backoff)
    }

    /// Ends the call, perhaps after writing a record with the last acknowledged offset; the upload stays on the server.
    package mutating func cancelled() -> UploadStep { self.stop(.interrupted) }

    /// Ends the call; the driver compares the identities before each request that sends bytes and before their last: a server
    /// must never complete an upload with the bytes of two versions of the file.
    package mutating func fileChanged() -> UploadStep { self.stop(.fileChanged(.whileSending)) }
}
