// SPDX-License-Identifier: Apache-2.0
public import Logging
public import Tern

/// Logs one line for each call and, at level `trace`, one for each exchange: a request and its response.
///
/// The line of a call contains the method, the URL without user and query, the status if known, the duration, and any error. No
/// line contains a password, a body, a query or the value of a header field, except a few values that explain a failure, such as
/// the media type and the length of a response.
///
/// The metadata of a call has the keys `call`, `method`, `url`, `status`, `milliseconds`, `bytes` (of the body, decoded if it was
/// read to its end), `error` (the name of the case) and `phase` (the step that failed). The metadata of an exchange also has
/// `transaction` (its number), `reason`, `reused`, `peer` and the milliseconds of most steps; its `bytes` may be those of the
/// compressed body. A key is missing if its value is not known.
public struct LoggingMonitor: EventMonitor {
    private let logger: Logger
    private let level: Logger.Level

    /// Creates a monitor that logs failed calls as `error`, and calls that succeeded or were cancelled at `level`; a log handler
    /// that blocks the thread may delay connections.
    public init(_ logger: Logger, level: Logger.Level = .info) {
        self.logger = logger
        self.level = level
    }

    public func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics) {
        guard self.logger.logLevel <= .trace else { return }
        var metadata = Self.metadata(call, transaction.method, transaction.duration ?? .zero)
        metadata["url"] = "\(ObservedText.url(transaction.url))"
        metadata["transaction"] = "\(transaction.number)"
        metadata["reason"] = "\(transaction.reason.rawValue)"
        metadata["bytes"] = "\(transaction.received.content)"
        if let status = transaction.statusCode { metadata["status"] = "\(status)" }
        if let error = transaction.error { Self.add(error, to: &metadata) }
        if let isReused = transaction.isConnectionReused { metadata["reused"] = "\(isReused)" }
        if let address = transaction.connection?.addresses.remote { metadata["peer"] = "\(address)" }
        for (name, step) in Self.steps(of: transaction) {
            metadata[name] = "\(ObservedText.milliseconds(step))"
        }
        self.logger.trace("exchange \(transaction.number) of call \(call.id) ended", metadata: metadata)
    }

    public func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
        let level = Self.isFailure(error) ? Logger.Level.error : self.level
        guard self.logger.logLevel <= level else { return }
        let last = metrics.transactions.last
        // Take the method and the URL from the same request: a redirect may have changed both.
        let method = last?.method ?? call.request.method.rawValue
        let url = ObservedText.url(last?.url ?? call.request.url)
        var metadata = Self.metadata(call, method, metrics.duration)
        metadata["url"] = "\(url)"
        if let status = last?.statusCode { metadata["status"] = "\(status)" }
        if let last { metadata["bytes"] = "\(last.received.content)" }
        if let error { Self.add(error, to: &metadata) }
        let outcome = Self.outcome(last?.statusCode, error)
        let time = ObservedText.milliseconds(metrics.duration)
        self.logger.log(level: level, "\(method) \(url): \(outcome), \(time) ms", metadata: metadata)
    }

    private static func isFailure(_ error: ClientError?) -> Bool {
        switch error {
        case nil, .cancelled?: false
        default: true
        }
    }

    private static func outcome(_ statusCode: Int?, _ error: ClientError?) -> String {
        let status = error?.summaryContainsStatus == true ? nil : statusCode.map { "\($0)" }
        let parts = [status, error?.summary].compactMap(\.self)
        return parts.isEmpty ? "answered" : parts.joined(separator: ", ")
    }

    private static func add(_ error: ClientError, to metadata: inout Logger.Metadata) {
        metadata["error"] = "\(ObservedText.name(of: error))"
        metadata["phase"] = "\(error.context.phase.rawValue)"
    }

    private static func metadata(_ call: MonitoredCall, _ method: String, _ time: Duration) -> Logger.Metadata {
        ["call": "\(call.id)", "method": "\(method)", "milliseconds": "\(ObservedText.milliseconds(time))"]
    }

    private static func steps(of transaction: TransactionMetrics) -> [(String, Duration)] {
        let steps: [(String, Duration?)] = [
            ("waiting", transaction.waiting?.duration),
            ("resolution", transaction.resolution?.duration),
            ("connecting", transaction.connecting?.duration),
            ("tunnelling", transaction.tunnelling?.duration),
            ("handshake", transaction.handshake?.duration),
            ("firstByte", transaction.timeToFirstByte),
        ]
        return steps.compactMap { name, step in step.map { (name, $0) } }
    }
}
