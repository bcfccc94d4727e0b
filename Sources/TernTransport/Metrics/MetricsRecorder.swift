// SPDX-License-Identifier: Apache-2.0
package import TernErrors
package import TernFoundation

/// Creates the metrics of a call from the events of the stages and the transport, for its last 64 exchanges.
///
/// It ignores milestones of exchanges that are over, and all events after the end of the call, so complete metrics never change.
package struct MetricsRecorder: Sendable {
    /// The maximum number of transactions in the metrics of a call.
    ///
    /// Beyond it, the oldest are forgotten.
    private static let maximumTransactionCount = 64
    /// The maximum number of attempts to connect in the metrics of a transaction.
    ///
    /// Beyond it, later ones are not recorded.
    private static let maximumAttemptCount = 16

    package private(set) var metrics: TaskMetrics
    private var lastNumber = 0
    /// The attempt that a stage has announced, until its exchange begins; the cache may answer it, and then none does.
    private var announced: (attempt: Int, reason: TransactionMetrics.Reason)?

    package init(startDate: Date) { self.metrics = TaskMetrics(startDate: startDate) }

    /// Records that a stage sends another request; without a redirect, the status of the last response determines the reason.
    package mutating func willSend(attempt: Int, isRedirect: Bool) -> TransactionMetrics.Reason {
        let reason: TransactionMetrics.Reason =
            switch self.metrics.transactions.last?.statusCode {
            case _ where isRedirect: .redirect
            case 401, 407: .authentication
            default: .retry
            }
        if isRedirect { self.metrics.redirectCount += 1 }
        self.announced = (attempt, reason)
        return reason
    }

    /// Records that the transport starts a request, and returns the number of the exchange.
    package mutating func begin(method: String, url: URL, attempt: Int, at elapsed: Duration) -> Int {
        var reason: TransactionMetrics.Reason = self.lastNumber > 0 ? .retry : .initial
        if let announced = self.announced, announced.attempt == attempt {
            reason = announced.reason
            self.announced = nil
        }
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

    /// Records that the transport sends the same request again, and returns the number of the new exchange.
    package mutating func `repeat`(_ number: Int, at elapsed: Duration) -> Int {
        guard let old = self.transaction(number) else { return number }
        self.change(number) { $0.finish(at: elapsed) }
        return self.begin(.repetition, old.method, old.url, elapsed)
    }

    package func transaction(_ number: Int) -> TransactionMetrics? {
        self.metrics.transactions.last { $0.number == number }
    }

    package mutating func reach(_ milestone: ExchangeMilestone, in number: Int, at elapsed: Duration) {
        self.change(number) { transaction in
            guard transaction.end == nil else { return }
            transaction.reach(milestone, at: elapsed, maximumAttemptCount: Self.maximumAttemptCount)
        }
    }

    package mutating func sent(_ byteCount: Int64, in number: Int) {
        self.change(number) { $0.sent.content = byteCount }
    }

    package mutating func received(_ byteCount: Int64, in number: Int) {
        self.change(number) { $0.received.content = byteCount }
    }

    /// Records the number of bytes of the last exchange's body after decompression.
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

    package mutating func fail(_ number: Int, _ error: ClientError, at elapsed: Duration) {
        self.change(number) { transaction in
            transaction.error = error
            transaction.finish(at: elapsed)
        }
    }

    /// Records the error of an exchange, which the milestone `finished` or a repetition ends afterwards.
    package mutating func note(_ error: ClientError, in number: Int) {
        self.change(number) { transaction in
            if transaction.end == nil { transaction.error = error }
        }
    }

    /// Records that the call is over, gives its error to the running exchanges that have none, and returns their numbers.
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
