// SPDX-License-Identifier: Apache-2.0
import DequeModule
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Measures one call, and notifies the client's monitors of its events in order and one at a time.
///
/// Events wait in a queue, which one thread at a time empties, outside the lock; a thread that adds an event does not wait.
final class CallMeter: MetricsSource {
    private typealias Event = @Sendable (any EventMonitor, MonitoredCall) -> Void

    private struct State: Sendable {
        var recorder: MetricsRecorder
        var events: Deque<Event> = []
        var isTelling = false
    }

    private let state: Mutex<State>
    private let monitors: [any EventMonitor]
    private let call: MonitoredCall
    private let clock: any TransportClock
    private let start: ClockInstant

    init(_ call: MonitoredCall, monitors: [any EventMonitor], clock: any TransportClock) {
        self.call = call
        self.monitors = monitors
        self.clock = clock
        self.start = clock.now
        self.state = Mutex(State(recorder: MetricsRecorder(startDate: Date())))
        self.record { _ in { $0.callDidBegin($1) } }
    }

    private var elapsed: Duration { self.start.duration(to: self.clock.now) }

    var metrics: TaskMetrics {
        let elapsed = self.elapsed
        var metrics = self.state.withLock { $0.recorder.metrics }
        if !metrics.isComplete { metrics.duration = elapsed }
        return metrics
    }

    // MARK: The call

    func willSend(_ request: Request, attempt: Int, isRedirect: Bool) {
        var request = request
        request.body = nil
        self.record { recorder in
            let reason = recorder.willSend(attempt: attempt, isRedirect: isRedirect)
            return { [request] in $0.call($1, willSend: request, because: reason) }
        }
    }

    func end(_ error: ClientError?) -> TaskMetrics {
        let elapsed = self.elapsed
        let metrics = self.state.withLock { state in
            guard !state.recorder.metrics.isComplete else { return state.recorder.metrics }
            for number in state.recorder.end(error, at: elapsed) { self.postEnd(of: number, &state) }
            let metrics = state.recorder.metrics
            self.post(&state) { $0.call($1, didEnd: metrics, error: error) }
            return metrics
        }
        self.tell()
        return metrics
    }

    // MARK: Exchanges

    /// Records that a stage hands a request to the transport, and returns the number of the new exchange.
    func begin(_ request: Request, attempt: Int) -> Int {
        let elapsed = self.elapsed
        let (method, url) = (request.method.rawValue, request.url.withoutUserInfo)
        var number = 0
        self.record { recorder in
            number = recorder.begin(method: method, url: url, attempt: attempt, at: elapsed)
            guard let transaction = recorder.transaction(number) else { return nil }
            return { $0.call($1, didBegin: transaction) }
        }
        return number
    }

    /// Records that the transport sends the same request again, and returns the number of the new exchange.
    func `repeat`(_ number: Int) -> Int {
        let elapsed = self.elapsed
        let new = self.state.withLock { state in
            // If a response of the server ended the exchange, monitors have already been told.
            let wasOver = state.recorder.transaction(number)?.end != nil
            let new = state.recorder.repeat(number, at: elapsed)
            if !wasOver { self.postEnd(of: number, &state) }
            guard let transaction = state.recorder.transaction(new) else { return new }
            self.post(&state) { $0.call($1, didBegin: transaction) }
            return new
        }
        self.tell()
        return new
    }

    func reach(_ milestone: ExchangeMilestone, in number: Int) {
        let elapsed = self.elapsed
        self.state.withLock { state in
            let wasOver = state.recorder.transaction(number)?.end != nil
            state.recorder.reach(milestone, in: number, at: elapsed)
            guard !wasOver, !state.recorder.metrics.isComplete, let transaction = state.recorder.transaction(number)
            else { return }
            self.post(&state) { $0.call($1, didReach: milestone, in: transaction) }
            if transaction.end != nil { self.postEnd(of: number, &state) }
        }
        self.tell()
    }

    func fail(_ number: Int, _ error: ClientError) {
        let elapsed = self.elapsed
        self.state.withLock { state in
            guard state.recorder.transaction(number)?.end == nil else { return }
            state.recorder.fail(number, error, at: elapsed)
            self.postEnd(of: number, &state)
        }
        self.tell()
    }

    func note(_ error: ClientError, in number: Int) { self.state.withLock { $0.recorder.note(error, in: number) } }

    func answered(_ statusCode: Int, in number: Int) {
        let elapsed = self.elapsed
        self.state.withLock { $0.recorder.answered(statusCode: statusCode, in: number, at: elapsed) }
    }

    /// Records that the client sent bytes of the request body; framing does not count.
    func sent(_ byteCount: Int64, in number: Int) { self.state.withLock { $0.recorder.sent(byteCount, in: number) } }

    /// Records that the client received bytes of the response body; framing does not count.
    func received(_ byteCount: Int64, in number: Int) {
        self.state.withLock { $0.recorder.received(byteCount, in: number) }
    }

    func decompressed(_ byteCount: Int64) { self.state.withLock { $0.recorder.decompressed(byteCount) } }

    // MARK: Delivering events

    private func record(_ change: (inout MetricsRecorder) -> Event?) {
        self.state.withLock { state in
            guard let event = change(&state.recorder) else { return }
            self.post(&state, event)
        }
        self.tell()
    }

    private func postEnd(of number: Int, _ state: inout State) {
        guard let transaction = state.recorder.transaction(number) else { return }
        self.post(&state) { $0.call($1, didEnd: transaction) }
    }

    private func post(_ state: inout State, _ event: @escaping Event) {
        if !self.monitors.isEmpty { state.events.append(event) }
    }

    private func tell() {
        SlowWork.begins()
        guard !self.monitors.isEmpty, self.beginTelling() else { return }
        while let event = self.nextEvent() {
            for monitor in self.monitors { event(monitor, self.call) }
        }
    }

    private func beginTelling() -> Bool {
        self.state.withLock { state in
            guard !state.isTelling, !state.events.isEmpty else { return false }
            state.isTelling = true
            return true
        }
    }

    private func nextEvent() -> Event? {
        self.state.withLock { state in
            let event = state.events.popFirst()
            if event == nil { state.isTelling = false }
            return event
        }
    }
}
