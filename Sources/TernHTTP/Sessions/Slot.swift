// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernProxies
import TernTransport

/// The pool, as a slot sees it.
protocol SessionPool: AnyObject, Sendable {
    /// The unread bodies of its connections.
    var heldBodies: HeldBodies { get }
    /// Takes back a session whose exchange is over, and which may serve another.
    func takeBack(_ pooled: PooledSession)
    /// Removes a session that is closed, or has left HTTP.
    func forget(_ pooled: PooledSession)
}

/// A place of a session, lent for one exchange.
///
/// It is settled once: with ``giveBack()`` when another exchange may follow, with ``detach()`` when the connection
/// leaves HTTP, and with ``discard()`` otherwise. Releasing an unsettled slot discards it, so no code path can leak
/// one.
final class Slot: Sendable {
    /// Whether the session has served an exchange before.
    let isReused: Bool
    /// Whether the session was idle before this exchange, so that the server may have closed it.
    let wasIdle: Bool
    /// The session in the pool.
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

    /// The negotiated TLS parameters; `nil` without TLS.
    var tls: TLSFacts? { self.pooled.established.tls }

    /// Returns the description of the connection for an observer.
    func described(through route: Route) -> ExchangeConnection {
        ExchangeConnection(
            isReused: self.isReused,
            addresses: self.pooled.established.connection.addresses,
            proxy: route.proxy?.description,
            tls: self.tls
        )
    }

    /// Ends the exchange; another may follow, unless the connection was made for one call only.
    func giveBack() {
        guard !self.pooled.established.isForOneCall else { return self.discard() }
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.takeBack(self.pooled)
    }

    /// Removes the open connection from the pool, because it uses another protocol from now on.
    func detach() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.forget(self.pooled)
    }

    /// Ends a failed exchange.
    ///
    /// A session that serves one exchange at a time is closed; its place is free when the system has released the
    /// descriptor. A session that serves several goes on with the others, because the exchange has ended its stream.
    func discard() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        guard !self.pooled.session.isMultiplexed || self.pooled.established.isForOneCall else {
            return self.pool.takeBack(self.pooled)
        }
        self.pooled.session.close { [pool, pooled] in pool.forget(pooled) }
    }
}
