// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern
import TernFoundation

/// The metrics of a call, as `--report json` shows them, in the stable form of `Documentation/Metrics.md`.
///
/// All times are in milliseconds from the start of the call, with at most three digits after the decimal point.
struct MetricsFacts: Encodable, Sendable {
    struct Interval: Encodable, Sendable {
        let start: Double
        let end: Double

        init(_ interval: Range<Duration>) {
            self.start = MetricsFacts.milliseconds(interval.lowerBound)
            self.end = MetricsFacts.milliseconds(interval.upperBound)
        }
    }

    struct Counts: Encodable, Sendable {
        let head: Int64
        let body: Int64
        let content: Int64

        init(_ counts: TransactionMetrics.ByteCounts) {
            self.head = counts.head
            self.body = counts.body
            self.content = counts.content
        }
    }

    struct Attempt: Encodable, Sendable {
        let address: String
        let time: Interval
        let outcome: String

        init(_ attempt: TransactionMetrics.ConnectAttempt) {
            self.address = attempt.address
            self.time = Interval(attempt.interval)
            self.outcome =
                switch attempt.outcome {
                case .connected: "connected"
                case .failed: "failed"
                default: "abandoned"
                }
        }
    }

    struct Transaction: Encodable, Sendable {
        let number: Int
        let reason: String
        let method: String
        let url: String
        let status: Int?
        let error: String?
        let protocolVersion: String?
        let stream: Int?
        let tlsVersion: String?
        let cipherSuite: String?
        let isConnectionReused: Bool?
        let localAddress: String?
        let remoteAddress: String?
        let proxy: String?
        let start: Double
        let end: Double?
        let waiting: Interval?
        let resolution: Interval?
        let addressCount: Int?
        let connectAttempts: [Attempt]
        let connecting: Interval?
        let proxyHandshake: Interval?
        let tunnelling: Interval?
        let handshake: Interval?
        let connected: Double?
        let headSent: Double?
        let requestSent: Double?
        let firstByte: Double?
        let answered: Double?
        let sent: Counts
        let received: Counts

        init(_ transaction: TransactionMetrics) {
            let connection = transaction.connection
            self.number = transaction.number
            self.reason = transaction.reason.rawValue
            self.method = transaction.method
            self.url = RedactedURL.text(transaction.url.absoluteString)
            self.status = transaction.statusCode
            self.error = transaction.error.map { Outcome($0).rawValue }
            self.protocolVersion = transaction.protocolVersion
            self.stream = transaction.streamNumber
            self.tlsVersion = connection?.tls?.version?.description
            self.cipherSuite = connection?.tls?.cipherSuite?.description
            self.isConnectionReused = transaction.isConnectionReused
            self.localAddress = connection?.addresses.local
            self.remoteAddress = connection?.addresses.remote
            self.proxy = connection?.proxy
            self.start = MetricsFacts.milliseconds(transaction.start)
            self.end = transaction.end.map { MetricsFacts.milliseconds($0) }
            self.waiting = transaction.waiting.map { Interval($0) }
            self.resolution = transaction.resolution.map { Interval($0) }
            self.addressCount = transaction.addressCount
            self.connectAttempts = transaction.connectAttempts.map { Attempt($0) }
            self.connecting = transaction.connecting.map { Interval($0) }
            self.proxyHandshake = transaction.proxyHandshake.map { Interval($0) }
            self.tunnelling = transaction.tunnelling.map { Interval($0) }
            self.handshake = transaction.handshake.map { Interval($0) }
            self.connected = transaction.connected.map { MetricsFacts.milliseconds($0) }
            self.headSent = transaction.headSent.map { MetricsFacts.milliseconds($0) }
            self.requestSent = transaction.requestSent.map { MetricsFacts.milliseconds($0) }
            self.firstByte = transaction.firstByte.map { MetricsFacts.milliseconds($0) }
            self.answered = transaction.answered.map { MetricsFacts.milliseconds($0) }
            self.sent = Counts(transaction.sent)
            self.received = Counts(transaction.received)
        }
    }

    /// As in RFC 3339.
    let startDate: String
    let duration: Double
    let redirectCount: Int
    let transactions: [Transaction]

    init(_ metrics: TaskMetrics) {
        self.startDate = metrics.startDate.formatted(.iso8601)
        self.duration = Self.milliseconds(metrics.duration)
        self.redirectCount = metrics.redirectCount
        self.transactions = metrics.transactions.map { Transaction($0) }
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1000
    }
}

final class MetricsCollector: EventMonitor {
    /// Without a limit, the memory of a process that runs for hours would grow.
    private static let maximumCount = 1000

    private let state = Mutex<[TaskMetrics]>([])

    var calls: [TaskMetrics] { self.state.withLock { $0 } }

    func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
        self.state.withLock { if $0.count < Self.maximumCount { $0.append(metrics) } }
    }
}
