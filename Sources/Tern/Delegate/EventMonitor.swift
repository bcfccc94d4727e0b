// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernRequests
public import TernTransport

/// Observes all calls of a client without changing them; every method has a default that does nothing.
///
/// ```swift
/// struct Printer: EventMonitor {
///     func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
///         print("\(call.id): \(metrics.duration)")
///     }
/// }
/// configuration.monitors = [Printer()]
/// ```
///
/// **When.** The methods for one call are called one at a time, in the order of events: ``callDidBegin(_:)`` first,
/// ``call(_:didEnd:error:)`` last and exactly once. Calls run concurrently, so a monitor is called from many threads at
/// once. Several monitors receive each event in the order of `Client.Configuration.monitors`.
///
/// **Where.** A method runs on the thread of the event, which may be an event loop, and under no lock. It must return
/// within microseconds and must not block: otherwise all connections of that event loop wait. Move longer work to a
/// queue of your own.
///
/// **What is left out.** The requests that the cache sends in the background to revalidate a stale response (RFC 5861)
/// do not belong to a call. Monitors do not see them.
///
/// **Cost.** A client without monitors, a delegate or `collectsMetrics` measures nothing unless a call has its own
/// delegate: it reads no clock and allocates nothing for metrics.
public protocol EventMonitor: Sendable {
    /// A call begins.
    func callDidBegin(_ call: MonitoredCall)
    /// A stage is about to send another request: after a redirect, a challenge, or a failure.
    func call(_ call: MonitoredCall, willSend request: Request, because reason: TransactionMetrics.Reason)
    /// The client hands a request to the transport.
    func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics)
    /// A transaction reached a milestone; `transaction` includes it.
    func call(_ call: MonitoredCall, didReach milestone: ExchangeMilestone, in transaction: TransactionMetrics)
    /// A transaction ended: the client read or abandoned its response, or it failed.
    func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics)
    /// The call ended, its body included; `error` is `nil` if it succeeded, and `.cancelled` if the body was not read
    /// to the end.
    func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?)
}

extension EventMonitor {
    /// Does nothing.
    public func callDidBegin(_ call: MonitoredCall) {}
    /// Does nothing.
    public func call(
        _ call: MonitoredCall,
        willSend request: Request,
        because reason: TransactionMetrics.Reason
    ) {}
    /// Does nothing.
    public func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics) {}
    /// Does nothing.
    public func call(
        _ call: MonitoredCall,
        didReach milestone: ExchangeMilestone,
        in transaction: TransactionMetrics
    ) {}
    /// Does nothing.
    public func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics) {}
    /// Does nothing.
    public func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {}
}
