// SPDX-License-Identifier: Apache-2.0
package import TernErrors
package import TernFoundation

/// Creates the metrics of a call from the events that the client's stages and the transport report.
///
/// Each event comes with its instant. The recorder keeps the last 64 transactions. It ignores events of transactions
/// that it has dropped, steps of transactions that are over, and all events after the end of the call. So complete
/// metrics never change.
package struct MetricsRecorder: Sendable {
    private static let maximumTransactionCount = 64
    private static let maximumAttemptCount = 16

    /// The metrics so far.
    package private(set) var metrics: TaskMetrics
    private var lastNumber = 0
    private var nextReason = TransactionMetrics.Reason.initial

    /// Creates a recorder for a call that begins now.
    package init(startDate: Date) { self.metrics = TaskMetrics(startDate: startDate) }

    /// Records that a stage sends another request for the call.
    ///
    /// - Parameter isRedirect: Whether the request follows a redirect. If it does not, the status of the last response
    ///   determines the reason.
    /// - Returns: The reason why the request is sent.
    package mutating func willSend(isRedirect: Bool) -> TransactionMetrics.Reason {
        switch self.metrics.transactions.last?.statusCode {
        case _ where isRedirect: self.nextReason = .redirect
        case 401, 407: self.nextReason = .authentication
        default: self.nextReason = .retry
        }
        if isRedirect { self.metrics.redirectCount += 1 }
        return self.nextReason
    }

    /// Records that the transport starts a request.
    ///
    /// - Returns: The number of the transaction, for reporting its events.
    package mutating func begin(method: String, url: URL, at elapsed: Duration) -> Int {
        let reason: TransactionMetrics.Reason =
            self.nextReason == .initial && self.lastNumber > 0 ? .retry : self.nextReason
        self.nextReason = .initial
        return self.begin(reason, method, url, elapsed)
    }

    private mutating func begin(
        _ reason: TransactionMetrics.Reason,
        _ method: String,
        _ url: URL,
        _ elapsed: Duration
    ) -> Int {
        guard !self.metrics.isComplete else { return self.lastNumber + 1 }
        if self.metrics.transactions.count == Self.maximumTransactionCount { self.metrics.transactions.removeFirst() }
        self.lastNumber += 1
        self.metrics.transactions.append(
            TransactionMetrics(number: self.lastNumber, reason: reason, method: method, url: url, start: elapsed)
        )
        return self.lastNumber
    }

    /// Records that the transport sends the same request again.
    ///
    /// - Returns: The number of the new transaction.
    package mutating func `repeat`(_ number: Int, at elapsed: Duration) -> Int {
        guard let old = self.transaction(number) else { return number }
        self.change(number) { $0.finish(at: elapsed) }
        return self.begin(.repetition, old.method, old.url, elapsed)
    }

    /// Returns a transaction; `nil` if it was dropped.
    package func transaction(_ number: Int) -> TransactionMetrics? {
        self.metrics.transactions.last { $0.number == number }
    }

    /// Records that a transaction reached a step.
    package mutating func reach(_ milestone: ExchangeMilestone, in number: Int, at elapsed: Duration) {
        self.change(number) { transaction in
            guard transaction.end == nil else { return }
            transaction.reach(milestone, at: elapsed, maximumAttemptCount: Self.maximumAttemptCount)
        }
    }

    /// Records the number of bytes of the body that were sent so far, without framing.
    package mutating func sent(_ byteCount: Int64, in number: Int) {
        self.change(number) { $0.sent.content = byteCount }
    }

    /// Records the number of bytes of the body that were received so far, without framing.
    package mutating func received(_ byteCount: Int64, in number: Int) {
        self.change(number) { $0.received.content = byteCount }
    }

    /// Records the number of bytes of the last transaction's body after decompression.
    package mutating func decompressed(_ byteCount: Int64) {
        self.change(self.lastNumber) { $0.received.content = byteCount }
    }

    /// Records the response of a transport that does not report its steps.
    package mutating func answered(statusCode: Int, in number: Int, at elapsed: Duration) {
        self.change(number) { transaction in
            guard transaction.statusCode == nil else { return }
            transaction.statusCode = statusCode
            transaction.answered = elapsed
        }
    }

    /// Records that a transaction failed before its response.
    package mutating func fail(_ number: Int, _ error: ClientError, at elapsed: Duration) {
        self.change(number) { transaction in
            transaction.error = error
            transaction.finish(at: elapsed)
        }
    }

    /// Records that a response body failed.
    ///
    /// The milestone `finished` ends the transaction afterwards.
    package mutating func failBody(_ number: Int, _ error: ClientError) {
        self.change(number) { transaction in
            if transaction.end == nil { transaction.error = error }
        }
    }

    /// Records that the call is over.
    ///
    /// - Parameters:
    ///   - error: The error of the call, which also becomes the error of each running transaction that has none yet.
    ///     Defaults to `nil`, for a call without an error.
    ///   - elapsed: The time from the start of the call.
    /// - Returns: The numbers of the transactions that end now.
    package mutating func end(_ error: ClientError? = nil, at elapsed: Duration) -> [Int] {
        guard !self.metrics.isComplete else { return [] }
        let open = self.metrics.transactions.filter { $0.end == nil }.map(\.number)
        for number in open {
            self.change(number) { transaction in
                transaction.error = transaction.error ?? error
                transaction.finish(at: elapsed)
            }
        }
        self.metrics.duration = elapsed
        self.metrics.isComplete = true
        return open
    }

    private mutating func change(_ number: Int, _ body: (inout TransactionMetrics) -> Void) {
        guard !self.metrics.isComplete,
            let index = self.metrics.transactions.lastIndex(where: { $0.number == number })
        else { return }
        body(&self.metrics.transactions[index])
    }
}
