// SPDX-License-Identifier: Apache-2.0
public import CoreMetrics
import Synchronization
public import Tern

/// Records metrics of each exchange, retries, redirects and answers to challenges included, with swift-metrics.
///
/// | label | kind | what it measures |
/// | --- | --- | --- |
/// | `http.client.request.duration` | timer | each exchange, to its end |
/// | `http.client.request.body.size` | recorder | `sent.body` of the `TransactionMetrics` |
/// | `http.client.response.body.size` | recorder | `received.body` of the `TransactionMetrics` |
/// | `tern.http.client.connection.create_time` | timer | opening a new connection for an exchange, with name look-up and TLS |
/// | `tern.http.client.request.resends` | counter | each exchange after a call's first request; its reason is in `tern.reason` |
///
/// All have the dimension `server.address`, and all but the timer of new connections have `http.request.method`. The first three
/// also have `http.response.status_code` if a response arrived, and `error.type` if none arrived or the exchange failed. Methods
/// outside RFC 9110 and RFC 5789, statuses outside 100 to 599, and hosts beyond a limit are recorded as `_OTHER`. Over
/// `URLSession`, no new connections are recorded, and the sizes are those of the decoded bodies.
public final class MetricsMonitor: EventMonitor {
    private let factory: (any MetricsFactory)?
    /// The maximum number of hosts that the metrics tell apart.
    ///
    /// Beyond it, further hosts count as `_OTHER`.
    private let maximumHostCount: Int
    private let hosts = Mutex<Set<String>>([])

    /// Creates a monitor, by default with the factory of `MetricsSystem`; metrics name only the first `maximumHostCount` hosts,
    /// because most metrics systems store a separate series for each host.
    public init(factory: (any MetricsFactory)? = nil, maximumHostCount: Int = 64) {
        self.factory = factory
        self.maximumHostCount = max(0, maximumHostCount)
    }

    public func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics) {
        guard transaction.reason != .initial else { return }
        let dimensions = self.dimensions(transaction) + [("tern.reason", transaction.reason.rawValue)]
        let label = "tern.http.client.request.resends"
        Counter(label: label, dimensions: dimensions, factory: self.currentFactory).increment()
    }

    public func call(
        _ call: MonitoredCall,
        didReach milestone: ExchangeMilestone,
        in transaction: TransactionMetrics
    ) {
        guard case .begun(let connection) = milestone, !connection.isReused, let start = transaction.connecting,
            let end = transaction.connected
        else { return }
        let dimensions = [("server.address", self.host(of: transaction))]
        self.time("tern.http.client.connection.create_time", dimensions, end - start.lowerBound)
    }

    public func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics) {
        var dimensions = self.dimensions(transaction)
        if let status = transaction.statusCode {
            dimensions.append(("http.response.status_code", ObservedText.status(status)))
        }
        if transaction.error != nil || transaction.statusCode == nil {
            let name = transaction.error.map { ObservedText.name(of: $0) } ?? ObservedText.other
            dimensions.append(("error.type", name))
        }
        if let duration = transaction.duration { self.time("http.client.request.duration", dimensions, duration) }
        self.record("http.client.request.body.size", dimensions, transaction.sent.body)
        self.record("http.client.response.body.size", dimensions, transaction.received.body)
    }

    private var currentFactory: any MetricsFactory { self.factory ?? MetricsSystem.factory }

    private func time(_ label: String, _ dimensions: [(String, String)], _ duration: Duration) {
        let timer = CoreMetrics.Timer(label: label, dimensions: dimensions, factory: self.currentFactory)
        // The time between two instants need not fit into an `Int64`.
        let nanoseconds: Double = duration / .nanoseconds(1)
        timer.recordNanoseconds(Int64(min(max(nanoseconds, -9e18), 9e18).rounded()))
    }

    private func record(_ label: String, _ dimensions: [(String, String)], _ value: Int64) {
        CoreMetrics.Recorder(label: label, dimensions: dimensions, factory: self.currentFactory).record(value)
    }

    private func dimensions(_ transaction: TransactionMetrics) -> [(String, String)] {
        [
            ("http.request.method", ObservedText.method(transaction.method)),
            ("server.address", self.host(of: transaction)),
        ]
    }

    private func host(of transaction: TransactionMetrics) -> String {
        let host = ObservedText.host(of: transaction.url).lowercased()
        return self.hosts.withLock { hosts in
            if hosts.contains(host) { return host }
            guard hosts.count < self.maximumHostCount else { return ObservedText.other }
            hosts.insert(host)
            return host
        }
    }
}
