// SPDX-License-Identifier: Apache-2.0
package import TernErrors

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Makes the metrics of a call of what is reported of it; instants arrive as arguments.
///
/// What belongs to a transaction that is forgotten may still come, and is ignored; so are steps of one that is over, and
/// everything once the call is: metrics that are complete change no more.
package struct MetricsRecorder: Sendable {
    private static let maximumTransactionCount = 64
    private static let maximumAttemptCount = 16

    /// What is known so far.
    package private(set) var metrics: TaskMetrics
    private var lastNumber = 0
    private var nextReason = TransactionMetrics.Reason.initial

    /// Begins with a call that begins.
    package init(startDate: Date) { self.metrics = TaskMetrics(startDate: startDate) }

    /// A stage asks again.
    ///
    /// - Parameter isRedirect: whether it follows a redirect; otherwise the last status tells why.
    /// - Returns: why.
    package mutating func willAskAgain(isRedirect: Bool) -> TransactionMetrics.Reason {
        switch self.metrics.transactions.last?.statusCode {
        case _ where isRedirect: self.nextReason = .redirect
        case 401, 407: self.nextReason = .authentication
        default: self.nextReason = .retry
        }
        if isRedirect { self.metrics.redirectCount += 1 }
        return self.nextReason
    }

    /// The transport takes a request over.
    ///
    /// - Returns: the number by which what happens to it is reported.
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

    /// The transport starts again with the same request.
    ///
    /// - Returns: the number of the new transaction.
    package mutating func `repeat`(_ number: Int, at elapsed: Duration) -> Int {
        guard let old = self.transaction(number) else { return number }
        self.change(number) { $0.finish(at: elapsed) }
        return self.begin(.repetition, old.method, old.url, elapsed)
    }

    /// A transaction; `nil` if it was forgotten.
    package func transaction(_ number: Int) -> TransactionMetrics? {
        self.metrics.transactions.last { $0.number == number }
    }

    /// A transaction came to a step.
    package mutating func reach(_ milestone: ExchangeMilestone, in number: Int, at elapsed: Duration) {
        self.change(number) { transaction in
            guard transaction.end == nil else { return }
            transaction.reach(milestone, at: elapsed, maximumAttemptCount: Self.maximumAttemptCount)
        }
    }

    /// The body that was sent so far, without framing, in bytes.
    package mutating func sent(_ byteCount: Int64, in number: Int) {
        self.change(number) { $0.sent.content = byteCount }
    }

    /// The body that was received so far, without framing, in bytes.
    package mutating func received(_ byteCount: Int64, in number: Int) {
        self.change(number) { $0.received.content = byteCount }
    }

    /// What came out of the last body when it was decompressed, in bytes.
    package mutating func decompressed(_ byteCount: Int64) {
        self.change(self.lastNumber) { $0.received.content = byteCount }
    }

    /// A transport that reports no steps has answered.
    package mutating func answered(statusCode: Int, in number: Int, at elapsed: Duration) {
        self.change(number) { transaction in
            guard transaction.statusCode == nil else { return }
            transaction.statusCode = statusCode
            transaction.answered = elapsed
        }
    }

    /// A transaction failed before its response.
    package mutating func fail(_ number: Int, _ error: ClientError, at elapsed: Duration) {
        self.change(number) { transaction in
            transaction.error = error
            transaction.finish(at: elapsed)
        }
    }

    /// The body of a transaction's response failed; its end is reported apart.
    package mutating func failBody(_ number: Int, _ error: ClientError) {
        self.change(number) { transaction in
            if transaction.end == nil { transaction.error = error }
        }
    }

    /// The call is over.
    ///
    /// - Parameters:
    ///   - error: how it failed; what is open failed by it. `nil`, the default, if it did not.
    ///   - elapsed: when.
    /// - Returns: the transactions that end with it.
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
