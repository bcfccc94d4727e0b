// SPDX-License-Identifier: Apache-2.0
public import CoreMetrics
import Synchronization
public import Tern

/// Records attempts with swift-metrics, under the names of OpenTelemetry, or under `tern.` for those that OpenTelemetry
/// does not define.
///
/// | label | kind | what it measures |
/// | --- | --- | --- |
/// | `http.client.request.duration` | timer | each attempt, to the end of the response body |
/// | `http.client.request.body.size` | recorder | bytes of body sent, as on the wire |
/// | `http.client.response.body.size` | recorder | bytes of body received, as on the wire |
/// | `tern.http.client.connection.create_time` | timer | each new connection, TLS included |
/// | `tern.http.client.request.resends` | counter | each attempt but the first of a call; with `tern.reason` |
///
/// The dimensions are `http.request.method`, `server.address`, `http.response.status_code` if a response arrived, and
/// `error.type` if none arrived or its body failed. The number of their values is limited: methods and statuses that no
/// RFC defines are recorded as `_OTHER`, and so are hosts beyond a limit.
public final class MetricsMonitor: EventMonitor {
    private let factory: (any MetricsFactory)?
    private let maximumHostCount: Int
    private let hosts = Mutex<Set<String>>([])

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - factory: The factory of the metrics. Defaults to that of `MetricsSystem`, looked up each time.
    ///   - maximumHostCount: The number of hosts to distinguish, in the order in which they are first used. Defaults to
    ///     64: in most systems that store metrics, each host is a separate series.
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
        timer.recordNanoseconds(Int64((duration / .nanoseconds(1)).rounded()))
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
