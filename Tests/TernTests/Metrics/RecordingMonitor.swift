// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern

/// A monitor that records all events.
final class RecordingMonitor: EventMonitor {
    /// A short form of an event.
    enum Event: Hashable, Sendable {
        case callBegan
        case willSend(TransactionMetrics.Reason)
        case began(Int, TransactionMetrics.Reason)
        case reached(String, in: Int)
        case ended(Int, status: Int?)
        case callEnded(transactionCount: Int, hasFailed: Bool)

        var isStep: Bool {
            if case .reached = self { true } else { false }
        }
    }

    private let state = Mutex<[UInt64: [Event]]>([:])

    /// The events of each call, in the order of the calls.
    var calls: [[Event]] { self.state.withLock { state in state.keys.sorted().compactMap { state[$0] } } }

    /// The events of the only call.
    var events: [Event] { self.calls.count == 1 ? self.calls[0] : [] }

    func callDidBegin(_ call: MonitoredCall) { self.add(.callBegan, call) }
    func call(_ call: MonitoredCall, willSend request: Request, because reason: TransactionMetrics.Reason) {
        self.add(.willSend(reason), call)
    }
    func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics) {
        self.add(.began(transaction.number, transaction.reason), call)
    }
    func call(_ call: MonitoredCall, didReach milestone: ExchangeMilestone, in transaction: TransactionMetrics) {
        let name = "\(milestone)".prefix { $0 != "(" }
        self.add(.reached(String(name), in: transaction.number), call)
    }
    func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics) {
        self.add(.ended(transaction.number, status: transaction.statusCode), call)
    }
    func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
        self.add(.callEnded(transactionCount: metrics.transactions.count, hasFailed: error != nil), call)
    }

    private func add(_ event: Event, _ call: MonitoredCall) {
        self.state.withLock { $0[call.id, default: []].append(event) }
    }
}
