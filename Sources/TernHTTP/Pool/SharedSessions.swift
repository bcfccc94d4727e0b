// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernProxies
import TernRequests
import TernTransport

/// The sessions that also serve a second host, because the same server is responsible for both hosts (RFC 9113 §9.1.1).
///
/// "For "https" resources, connection reuse additionally depends on having a certificate that is valid for the host in the URI."
/// The client also requires the same address of the server and the same TLS settings.
struct SharedSessions {
    /// A session, with its TLS parameters, which include the trust in the second host.
    struct Share {
        let pooled: PooledSession
        let tls: TLSFacts
    }

    /// The maximum number of hosts to remember as needing separate connections.
    private static let maximumSeparateCount = 1000

    private var shares: [ConnectionTarget: Share] = [:]
    private var separate: Set<ConnectionTarget> = []

    func share(for target: ConnectionTarget) -> Share? { self.shares.isEmpty ? nil : self.shares[target] }

    mutating func add(_ share: Share, for target: ConnectionTarget) { self.shares[target] = share }

    mutating func remove(_ number: SessionNumber) {
        guard !self.shares.isEmpty else { return }
        self.shares = self.shares.filter { $0.value.pooled.number != number }
    }

    /// Notes that a server has answered 421 (Misdirected Request, RFC 9110 §15.5.20).
    mutating func separate(_ target: ConnectionTarget) {
        self.shares[target] = nil
        if self.separate.count == Self.maximumSeparateCount { self.separate.removeAll() }
        self.separate.insert(target)
    }

    func isSeparate(_ target: ConnectionTarget) -> Bool { self.separate.contains(target) }
}

extension PooledSession {
    /// Returns whether the session has the settings of the target, and may have another host.
    func mayServe(_ target: ConnectionTarget) -> Bool {
        self.session.isMultiplexed && !self.established.isForOneCall && self.target.differsOnlyInHost(from: target)
    }
}

extension ConnectionTarget {
    var mayShareSession: Bool {
        self.isEncrypted && self.route == .direct && self.unixSocketPath == nil && self.versions == .automatic
    }

    func differsOnlyInHost(from other: ConnectionTarget) -> Bool {
        guard self.mayShareSession, self.origin.host != other.origin.host, self.origin.port == other.origin.port else {
            return false
        }
        return other
            == self.retargeted(to: other.origin, unixSocketPath: nil, route: .direct, versions: self.versions)
    }
}

extension ConnectionPool {
    /// Finds an open session of another host that also serves the target, before a new connection begins TLS, and records it.
    func shareSession(with target: ConnectionTarget, at addresses: ConnectionAddresses) async -> Bool {
        guard target.mayShareSession, let remote = addresses.remote else { return false }
        let sessions = self.locked.withLock { locked in
            locked.sharedSessions.isSeparate(target)
                ? [] : locked.machine.availableMembers { $0.mayServe(target) }
        }
        // Outside of the lock, because the connection may be the application's.
        for pooled in sessions
        where pooled.session.isReady && pooled.established.connection.addresses.remote == remote {
            guard let tls = await pooled.established.tls?.asserted(for: target.origin.hostWithoutZone) else { continue }
            return self.locked.withLock { locked in
                guard !locked.machine.isShutDown, locked.machine.hasFreeSlot(pooled.number) else { return false }
                locked.sharedSessions.add(SharedSessions.Share(pooled: pooled, tls: tls), for: target)
                return true
            }
        }
        return false
    }

    func separate(_ target: ConnectionTarget) { self.locked.withLock { $0.sharedSessions.separate(target) } }
}

extension ConnectionPool.Locked {
    /// Takes a slot of a session of another host that also serves the target.
    mutating func takeShare(
        of target: ConnectionTarget,
        now: @autoclosure () -> ClockInstant,
        _ effects: inout [ConnectionPool.Machine.Effect]
    ) -> (SharedSessions.Share, ConnectionPool.Machine.Use)? {
        guard let share = self.sharedSessions.share(for: target) else { return nil }
        return self.machine.acquire(share.pooled.number, now: now(), &effects).map { (share, $0) }
    }
}
