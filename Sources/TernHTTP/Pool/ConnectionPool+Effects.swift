// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernTransport

extension ClientError {
    var saysNoDescriptorIsFree: Bool {
        switch self {
        case .connectionFailed(.tooManyOpenFiles, _): true
        case .uploadFailed(let reason, _): reason.saysNoDescriptorIsFree
        default: false
        }
    }
}

extension ConnectionPool: IdleConnectionOwner {
    func closeIdleConnection() async -> Bool {
        guard let idle = self.locked.withLock({ $0.machine.ranOutOfDescriptors() }) else { return false }
        await idle.session.closeAndWait()
        self.forget(idle)
        return true
    }
}

extension ConnectionPool {
    private enum Step {
        case resume(Turn, Outcome)
        case cancel(RunningDial)
        case close(PooledSession)
        case arm(ClockInstant)
    }

    /// Passes an event to the machine under the lock, and then performs the resulting steps outside of the lock.
    func perform(failing error: ClientError? = nil, _ event: (inout Locked) -> [Machine.Effect]) {
        let steps = self.locked.withLock { locked -> [Step] in
            let effects = event(&locked)
            return effects.isEmpty ? [] : effects.compactMap { Self.step($0, &locked, error) }
        }
        for step in steps { self.take(step) }
    }

    private static func step(_ effect: Machine.Effect, _ locked: inout Locked, _ error: ClientError?) -> Step? {
        switch effect {
        case .resume(let waiter, let grant):
            guard let turn = locked.turns.removeValue(forKey: waiter) else { return nil }
            switch grant {
            case .use, .again: return .resume(turn, .granted(grant, next: nil))
            case .dial, .wait: break
            }
            return .resume(turn, .granted(grant, next: locked.addTurn(of: waiter)))
        case .fail(let waiter):
            guard let error, let turn = locked.turns.removeValue(forKey: waiter) else { return nil }
            return .resume(turn, .failed(error))
        case .detach(let dial):
            locked.dials[dial]?.observer.detach()
            return nil
        case .cancel(let dial): return locked.dials[dial].map { .cancel($0) }
        case .close(let pooled): return .close(pooled)
        case .armTimer(let instant): return .arm(instant)
        }
    }

    private func take(_ step: Step) {
        switch step {
        case .resume(let turn, let outcome): if !turn.resume(with: .success(outcome)) { self.decline(outcome) }
        case .cancel(let dial): dial.cancel()
        case .close(let pooled): pooled.session.close { self.forget(pooled) }
        case .arm(let instant): self.arm(at: instant)
        }
    }

    private func decline(_ outcome: Outcome) {
        switch outcome {
        case .granted(.use(let pooled, let use), _):
            let now = self.clock.now
            self.perform { $0.machine.slotDeclined(pooled.number, wasReused: use.isReused, now: now) }
        case .granted(.dial(let dial), let next):
            self.perform { $0.machine.dialFailed(dial) }
            self.decline(next)
        case .granted(.wait, let next): self.decline(next)
        case .granted(.again, _), .failed: break
        }
    }

    /// Ends the turn of a call that has given up, so that the pool takes back the grant that has arrived, or that arrives later.
    private func decline(_ turn: Turn?) {
        if case .success(let outcome)? = turn?.finish() { self.decline(outcome) }
    }

    private func arm(at instant: ClockInstant) {
        self.locked.arm(at: instant, on: self.clock) { [weak self] in self?.runTimer() }
    }

    /// Closes the connections that were idle too long, and begins the dials that are due.
    func runTimer() {
        let now = self.clock.now
        self.perform { $0.machine.timerFired(now: now) }
    }
}
