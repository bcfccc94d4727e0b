// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernRequests
public import TernTransport

/// Observes all calls of a client without changing them; every method has a default that does nothing.
///
/// ```swift
/// struct Printer: EventMonitor {
///     func call(
///         _ call: MonitoredCall,
///         didEnd metrics: TaskMetrics,
///         error: ClientError?
///     ) {
///         print("\(call.id): \(metrics.duration)")
///     }
/// }
/// configuration.monitors = [Printer()]
/// ```
///
/// **When.** The client calls the methods for one call one at a time, in the order of events. ``callDidBegin(_:)`` is first, and
/// ``call(_:didEnd:error:)`` is last, exactly once. Many threads may call a monitor at the same time, for different calls.
///
/// **Where.** A method runs on the thread on which the event happens, or on another one that is already calling the monitors
/// for the same call. Either may be the thread of an event loop. The method must return within microseconds and must not block,
/// because all connections of that event loop wait for it. Move longer work to your own queue.
///
/// **What is left out.** Monitors do not see the requests that the cache sends in the background to revalidate a stale response
/// (RFC 5861), because they do not belong to a call.
///
/// **Cost.** With a monitor, the client measures every call: it reads its clock and allocates memory for the metrics.
public protocol EventMonitor: Sendable {
    /// A call begins.
    func callDidBegin(_ call: MonitoredCall)
    /// The client is about to send another request, such as after a redirect, a challenge, or a failure; the cache may answer it.
    func call(_ call: MonitoredCall, willSend request: Request, because reason: TransactionMetrics.Reason)
    /// An exchange begins: the client hands a request to the transport, or the transport sends the request again.
    func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics)
    /// An exchange reached a milestone, such as an open connection; `transaction` has the times of the steps.
    func call(_ call: MonitoredCall, didReach milestone: ExchangeMilestone, in transaction: TransactionMetrics)
    /// An exchange ended: the client has read or released its response, or the exchange failed.
    func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics)
    /// The call and its body ended; `error` is `.cancelled` if the caller released a body, such as that of `bytes`, before its end.
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
