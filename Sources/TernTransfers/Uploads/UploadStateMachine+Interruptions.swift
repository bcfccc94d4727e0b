// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
package import TernRequests
import TernRetry

extension UploadStateMachine {
    // MARK: While a request is sent

    /// Records that more of the request's content was handed to the network.
    ///
    /// - Parameter byteCount: The number of bytes since the last report, at least 0. Report bytes before they can reach
    ///   the server: after a failure, the machine assumes that a request cannot have completed the upload unless all
    ///   its bytes were reported.
    package mutating func sent(byteCount: Int) {
        guard case .requesting(let request) = self.state, let body = request.body else { return }
        self.sentInRequest = min(self.sentInRequest + Int64(byteCount), body.upperBound - body.lowerBound)
        self.reportedByteCount = max(self.reportedByteCount, body.lowerBound + self.sentInRequest)
    }

    /// Records that the driver sends the present request again from its head, for example with credentials after a
    /// challenge, or to the target of a redirect.
    ///
    /// For the server, this is another request. If the request creates an upload, the server creates a second one, with
    /// another URL. The machine leaves the first upload alone, and replaces its record.
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

    /// Records an informational response, such as 104.
    ///
    /// - Parameters:
    ///   - notice: The response.
    ///   - now: The current time.
    ///   - isDue: Whether so much time has passed since the last record that another is due. Defaults to `false`.
    /// - Returns: The reaction.
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

    /// Records that the exchange failed before its final response, or that the call was cancelled while the driver
    /// waited.
    ///
    /// - Parameters:
    ///   - error: The error. The call ends if `ClientError.isRetryable` is `false`, or if the server may have received
    ///     a request that must not be sent twice.
    ///   - generator: The source of the jitter.
    /// - Returns: The next step.
    package mutating func cut(by error: ClientError, using generator: inout some RandomNumberGenerator) -> UploadStep {
        guard case .requesting(let request) = self.state else { self.unexpected("cut") }
        self.noteSentBytes(of: request)
        if let outcome = self.outcomeAfterCancelling, outcome != .cancelled { return self.finish(outcome) }
        guard error.isRetryable, self.mayRepeat(request) || error.context.delivery != .unknown else {
            return self.stop(.interrupted)
        }
        return self.tryAgain(request, after: .zero, else: .failed(.interrupted), using: &generator)
    }

    /// Returns whether the call may make another attempt after a request that the server may have received.
    ///
    /// After a request for an upload, another attempt is always allowed, because the server says how many bytes it has.
    /// After the request that creates an upload, another attempt is allowed if the server has named the upload, if the
    /// configuration says that the request is repeatable, or if the dialect allows it and the request does not send the
    /// last byte.
    func mayRepeat(_ request: UploadRequest) -> Bool {
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

    /// Records that the call was cancelled.
    ///
    /// The upload stays on the server, and its record on the disk.
    ///
    /// - Returns: The end, perhaps after actions that write a record with the last acknowledged offset.
    package mutating func cancelled() -> UploadStep { self.stop(.interrupted) }

    /// Records that the file no longer has the identity of the configuration.
    ///
    /// The driver compares the identities before each request that sends bytes, and again before it sends the last of
    /// them: a server must never complete an upload with the bytes of two versions of the file.
    ///
    /// - Returns: The end.
    package mutating func fileChanged() -> UploadStep { self.stop(.fileChanged(.whileSending)) }
}
