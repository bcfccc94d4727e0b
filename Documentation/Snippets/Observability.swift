// SPDX-License-Identifier: Apache-2.0
// The code in the articles in Sources/Tern/Tern.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Logging
import Tern
import TernObservability

func measuring(_ url: URL) async throws {
    // snippet.metrics-response
    var configuration = Client.Configuration()
    configuration.collectsMetrics = true
    let client = Client(configuration: configuration)

    let (data, response) = try await client.data(from: url)
    for transaction in response.metrics?.transactions ?? [] {
        print(transaction.reason, transaction.method, transaction.statusCode ?? 0)
        if let lookUp = transaction.resolution {
            print("  look-up", lookUp.upperBound - lookUp.lowerBound)
        }
        if let tls = transaction.handshake {
            print("  TLS", tls.upperBound - tls.lowerBound)
        }
        print("  first byte", transaction.timeToFirstByte ?? .zero)
    }
    // snippet.end
    _ = data
}

// snippet.metrics-monitor
struct SlowCalls: EventMonitor {
    let limit: Duration
    let report: @Sendable (MonitoredCall, TaskMetrics) -> Void

    func call(
        _ call: MonitoredCall,
        didEnd metrics: TaskMetrics,
        error: ClientError?
    ) {
        if metrics.duration > self.limit { self.report(call, metrics) }
    }
}
// snippet.end

func monitoring() {
    // snippet.observing-client
    var configuration = Client.Configuration()
    configuration.monitors = [LoggingMonitor(Logger(label: "http")), MetricsMonitor()]
    configuration.addTracing()
    let client = Client(configuration: configuration)
    // snippet.end
    _ = client
}
