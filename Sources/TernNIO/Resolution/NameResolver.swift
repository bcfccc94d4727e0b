// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors

/// Looks up host names on a few threads of its own.
///
/// A look-up by the system cannot be cancelled, and may take long if a name server does not answer. It must not delay
/// anything except other look-ups, so look-ups have their own threads.
final class NameResolver: Sendable {
    /// Looks up one name.
    ///
    /// The function may block its thread.
    typealias LookUp = @Sendable (_ host: String) -> Result<[SocketAddress], ConnectionError>

    /// The maximum number of names that the whole process looks up at the same time.
    static let threadCount = 16

    /// The resolver that all connectors of the process share.
    static let shared = NameResolver(threadCount: NameResolver.threadCount) { SystemLookUp.addresses(of: $0) }

    private typealias Answer = Suspension<Result<[SocketAddress], ConnectionError>>

    private struct Locked {
        var machine: LookUpStateMachine
        var answers: [LookUpStateMachine.Waiter: Answer] = [:]
    }

    private let locked: Mutex<Locked>
    private let lookUp: LookUp

    /// Creates a resolver without threads.
    ///
    /// Threads start when look-ups need them, and end when no look-up is left.
    init(threadCount: Int, lookUp: @escaping LookUp) {
        self.locked = Mutex(Locked(machine: LookUpStateMachine(threadCount: threadCount)))
        self.lookUp = lookUp
    }

    /// The number of waiting calls, and the number of names that wait for a thread; for tests.
    var counts: (waiting: Int, queued: Int) { self.locked.withLock { $0.machine.counts } }

    /// Returns the addresses of a host, without a port.
    ///
    /// The system puts the best address first.
    ///
    /// - Parameters:
    ///   - host: A host name.
    ///   - deadline: The deadline for the look-up. `nil` sets no limit.
    ///   - clock: The clock of the deadline.
    /// - Returns: At least one address.
    /// - Throws: ``ConnectionError``. Cancellation and the deadline end the wait at once.
    func addresses(
        of host: String,
        until deadline: CallDeadline?,
        on clock: any TransportClock
    ) async throws(ConnectionError) -> [SocketAddress] {
        guard !Task.isCancelled else { throw .cancelled }
        let answer = Answer()
        let (waiter, startsThread) = self.locked.withLock { locked in
            let (waiter, startsThread) = locked.machine.requested(host)
            locked.answers[waiter] = answer
            return (waiter, startsThread)
        }
        if startsThread { self.startThread(for: host) }
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

    private func startThread(for host: String) {
        var next: String? = host
        while let name = next {
            let failure = DetachedThread.start { self.work(through: name) }
            guard failure != 0 else { return }
            next = self.finish(name, .failure(.notConnected(ConnectionFailure(errno: failure))))
        }
    }

    /// Looks up a name, and then the names that wait for a thread, until none is left.
    private func work(through first: String) {
        var next: String? = first
        while let name = next { next = self.finish(name, self.lookUp(name)) }
    }

    private func finish(_ name: String, _ outcome: Result<[SocketAddress], ConnectionError>) -> String? {
        let (answers, next) = self.locked.withLock { locked in
            let (waiters, next) = locked.machine.finished(name)
            return (waiters.compactMap { locked.answers.removeValue(forKey: $0) }, next)
        }
        for answer in answers { answer.resume(with: outcome) }
        return next
    }
}
