// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern

/// Keeps the metrics of all calls of a client, in the order in which they ended.
final class MetricsCollector: EventMonitor {
    /// A process that plays for hours must not grow.
    private static let maximumCount = 1000

    private let state = Mutex<[TaskMetrics]>([])

    /// The calls; the first thousand.
    var calls: [TaskMetrics] { self.state.withLock { $0 } }

    func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
        self.state.withLock { if $0.count < Self.maximumCount { $0.append(metrics) } }
    }
}
