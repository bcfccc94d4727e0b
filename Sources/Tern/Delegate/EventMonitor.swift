// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernRequests
public import TernTransport

/// Is told what happens in all calls of a client, and changes none of them; every method does nothing by default.
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
/// **When.** Of one call, methods are called one at a time, in the order in which things happen: ``callDidBegin(_:)``
/// first, ``call(_:didEnd:error:)`` last and exactly once. Calls go on at the same time, so a monitor is called from many
/// threads at once. Several monitors are told each event in the order of `Client.Configuration.monitors`.
///
/// **Where.** On the thread on which it happens, which may be an event loop, and under no lock. So a method must return
/// soon, within microseconds, and must not block: what takes longer belongs into a queue of the monitor's own. If it does
/// not, all connections of that event loop wait.
///
/// **What is not told.** What the cache asks in the background to make a stale response fresh (RFC 5861) is no part of a
/// call: its requests are told to nobody.
///
/// **What it costs.** A client without monitors, delegate and `collectsMetrics` measures nothing: it reads no clock and
/// allocates nothing for it.
public protocol EventMonitor: Sendable {
    /// A call begins.
    func callDidBegin(_ call: MonitoredCall)
    /// A stage is about to ask again: after a redirect, a challenge, or a failure.
    func call(_ call: MonitoredCall, willAskAgain request: Request, because reason: TransactionMetrics.Reason)
    /// A request is handed to the transport.
    func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics)
    /// A transaction has come to a step; `transaction` tells what is known, that step included.
    func call(_ call: MonitoredCall, didReach milestone: ExchangeMilestone, in transaction: TransactionMetrics)
    /// A transaction is over: its response was read or abandoned, or it failed.
    func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics)
    /// The call is over, its body included; `error` is `nil` if it succeeded, `.cancelled` if its body was not read to
    /// the end.
    func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?)
}

extension EventMonitor {
    /// Does nothing.
    public func callDidBegin(_ call: MonitoredCall) {}
    /// Does nothing.
    public func call(
        _ call: MonitoredCall,
        willAskAgain request: Request,
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
