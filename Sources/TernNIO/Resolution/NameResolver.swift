// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import Synchronization
import TernConnections
import TernErrors

/// Looks up host names on its own few threads, because the system's look-up blocks and cannot be cancelled.
final class NameResolver: Sendable {
    /// Looks up one name, and may block its thread.
    typealias LookUp = @Sendable (_ host: String) -> Result<[SocketAddress], ConnectionError>

    /// The maximum number of look-ups that have not lasted a second, in the whole process; one domain gets half of it.
    ///
    /// Beyond it, further names wait, at most for `Timeouts.connect`.
    static let threadCount = 16
    /// The maximum number of all look-ups of the process; one domain gets half of it.
    static let maximumThreadCount = 128
    /// Enough for the system's look-up, which Apple platforms run on stacks of this length.
    static let stackByteCount = 512 << 10

    static let shared = NameResolver(
        threadCount: NameResolver.threadCount,
        maximumThreadCount: NameResolver.maximumThreadCount
    ) { SystemLookUp.addresses(of: $0) }

    private typealias Answer = Suspension<Result<[SocketAddress], ConnectionError>>

    private struct Locked: TimedState {
        var machine: LookUpStateMachine
        var answers: [LookUpStateMachine.Waiter: Answer] = [:]
        var timer: ScheduledAction?

        var armedInstant: ClockInstant? { self.machine.armedInstant }
    }

    private let locked: Mutex<Locked>
    private let clock: any TransportClock
    private let lookUp: LookUp

    /// Creates a resolver whose threads start when look-ups need them, and end when none is left.
    init(
        threadCount: Int,
        maximumThreadCount: Int? = nil,
        clock: any TransportClock = SystemClock(),
        lookUp: @escaping LookUp
    ) {
        let machine = LookUpStateMachine(
            threadCount: threadCount,
            maximumThreadCount: maximumThreadCount ?? 8 * threadCount
        )
        self.locked = Mutex(Locked(machine: machine))
        self.clock = clock
        self.lookUp = lookUp
    }

    deinit { self.locked.withLock { $0.timer.take() }?.cancel() }

    var counts: (waiting: Int, queued: Int) { self.locked.withLock { $0.machine.counts } }

    /// Returns the addresses of a host without a port, the best first; cancellation and the deadline end the wait at once.
    func addresses(
        of host: String,
        until deadline: CallDeadline?,
        on clock: any TransportClock
    ) async throws(ConnectionError) -> [SocketAddress] {
        guard !Task.isCancelled else { throw .cancelled }
        let answer = Answer()
        let group = NameGroup(of: host)
        let now = self.clock.now
        let (waiter, effects) = self.locked.withLock { locked in
            let (waiter, effects) = locked.machine.requested(host, in: group, now: now)
            locked.answers[waiter] = answer
            return (waiter, effects)
        }
        self.perform(effects)
        do throws(ConnectionError) {
            return try await answer.success(until: deadline, on: clock)
        } catch {
            self.locked.withLock { locked in
                guard locked.answers.removeValue(forKey: waiter) != nil else { return }
                locked.machine.abandoned(waiter)
            }
            throw error
        }
    }

    private func perform(_ effects: LookUpStateMachine.Effects) {
        if let instant = effects.timer { self.arm(at: instant) }
        self.startThreads(for: effects.starts)
    }

    private func arm(at instant: ClockInstant) {
        self.locked.arm(at: instant, on: self.clock) { [weak self] in
            guard let self else { return }
            let now = self.clock.now
            self.perform(self.locked.withLock { $0.machine.timerFired(now: now) })
        }
    }

    private func startThreads(for names: some Sequence<String>) {
        var names = Deque(names)
        while let name = names.popFirst() {
            let failure = DetachedThread.start(stackByteCount: Self.stackByteCount) { self.work(through: name) }
            guard failure != 0 else { continue }
            names += self.finish(name, .failure(.notConnected(ConnectionFailure(errno: failure))))
        }
    }

    /// Looks up a name, and then names that wait for a thread, until none is left.
    private func work(through first: String) {
        var next: String? = first
        while let name = next {
            let starts = self.finish(name, self.lookUp(name))
            next = starts.first
            self.startThreads(for: starts.dropFirst())
        }
    }

    /// Tells the waiting calls the result of a look-up; returns the names to look up.
    private func finish(_ name: String, _ outcome: Result<[SocketAddress], ConnectionError>) -> [String] {
        let now = self.clock.now
        let isAnswered = if case .success = outcome { true } else { false }
        let (answers, effects) = self.locked.withLock { locked in
            let (waiters, effects) = locked.machine.finished(name, isAnswered: isAnswered, now: now)
            return (waiters.compactMap { locked.answers.removeValue(forKey: $0) }, effects)
        }
        for answer in answers { answer.resume(with: outcome) }
        if let instant = effects.timer { self.arm(at: instant) }
        return effects.starts
    }
}
