// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernProxies
import TernTransport

/// The pool, as a slot sees it.
protocol SessionPool: AnyObject, Sendable {
    /// The unread bodies of its connections.
    var heldBodies: HeldBodies { get }
    /// An exchange is over, and another may follow.
    func takeBack(_ pooled: PooledSession)
    /// The session is closed, or does not speak HTTP any more.
    func forget(_ pooled: PooledSession)
}

/// A place of a session, lent for one exchange.
///
/// It is settled once: ``giveBack()`` when another exchange may follow, ``detach()`` when the connection leaves HTTP,
/// ``discard()`` otherwise. Releasing an unsettled slot discards it, so that no path through an exchange can leak one.
final class Slot: Sendable {
    /// Whether the session has served an exchange before.
    let isReused: Bool
    /// Whether the session has waited for this exchange, and may have been closed by the server meanwhile.
    let wasIdle: Bool
    /// The session, and where it leads.
    let pooled: PooledSession

    private let pool: any SessionPool
    private let isSettled = Atomic<Bool>(false)

    init(_ pooled: PooledSession, of pool: any SessionPool, isReused: Bool, wasIdle: Bool) {
        self.pooled = pooled
        self.pool = pool
        self.isReused = isReused
        self.wasIdle = wasIdle
    }

    deinit { self.discard() }

    /// The unread bodies of the pool's connections.
    var heldBodies: HeldBodies { self.pool.heldBodies }

    /// What was agreed when TLS was established, if it was.
    var tls: TLSFacts? { self.pooled.established.tls }

    /// What an observer is told of the connection.
    func described(through route: Route) -> ExchangeConnection {
        ExchangeConnection(
            isReused: self.isReused,
            addresses: self.pooled.established.connection.addresses,
            proxy: route.proxy?.description,
            tls: self.tls
        )
    }

    /// The exchange is over and another may follow, unless the connection was made for one call alone.
    func giveBack() {
        guard !self.pooled.established.isForOneCall else { return self.discard() }
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.takeBack(self.pooled)
    }

    /// The connection leaves the pool, open: it speaks another protocol from now on.
    func detach() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.forget(self.pooled)
    }

    /// Closes the session, which is of no more use.
    ///
    /// Its place is free when the system has the descriptor back.
    func discard() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pooled.session.close { [pool, pooled] in pool.forget(pooled) }
    }
}
