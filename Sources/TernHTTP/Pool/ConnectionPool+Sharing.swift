// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernRequests

extension ConnectionPool {
    /// Finds an open session of another host that also serves the target, and records it for the target; returns
    /// whether there is one.
    ///
    /// The dialer calls this method before a new connection begins TLS.
    func shareSession(with target: ConnectionTarget, at addresses: ConnectionAddresses) async -> Bool {
        guard target.mayShareSession else { return false }
        let sessions = self.locked.withLock { locked in
            locked.sharedSessions.isSeparate(target)
                ? [] : locked.machine.availableMembers { $0.matches(target, at: addresses) }
        }
        for pooled in sessions where pooled.session.isReady {
            guard let tls = await pooled.established.tls?.asserted(for: target.origin.hostWithoutZone) else { continue }
            return self.locked.withLock { locked in
                guard !locked.machine.isShutDown, locked.machine.hasFreeSlot(pooled.number) else { return false }
                locked.sharedSessions.add(SharedSessions.Share(pooled: pooled, tls: tls), for: target)
                return true
            }
        }
        return false
    }

    /// Gives a target separate connections, because a server on a shared one has answered 421 (Misdirected Request).
    func separate(_ target: ConnectionTarget) { self.locked.withLock { $0.sharedSessions.separate(target) } }
}

extension ConnectionPool.Locked {
    /// Takes a slot of a session of another host that also serves the target; `nil` if there is none.
    mutating func takeShare(
        of target: ConnectionTarget,
        now: @autoclosure () -> ClockInstant,
        _ effects: inout [ConnectionPool.Machine.Effect]
    ) -> (SharedSessions.Share, ConnectionPool.Machine.Use)? {
        guard let share = self.sharedSessions.share(for: target) else { return nil }
        return self.machine.acquire(share.pooled.number, now: now(), &effects).map { (share, $0) }
    }
}
