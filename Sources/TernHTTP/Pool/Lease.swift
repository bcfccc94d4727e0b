// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernProxies
import TernTransport

/// A connection of the pool, lent for one exchange.
///
/// It is settled once: ``giveBack()`` when another exchange may follow, ``detach()`` when the connection leaves HTTP,
/// ``discard()`` otherwise. Releasing an unsettled lease discards the connection, so that no path through an exchange can
/// leak one.
final class Lease: Sendable {
    let connection: any Connection
    /// Whether the connection has served an exchange before.
    let isReused: Bool

    private let member: PooledConnection
    private let pool: ConnectionPool
    private let isSettled = Atomic<Bool>(false)

    init(_ member: PooledConnection, of pool: ConnectionPool, isReused: Bool) {
        self.connection = member.connection
        self.member = member
        self.pool = pool
        self.isReused = isReused
    }

    deinit { self.discard() }

    /// The unread bodies of the pool's connections.
    var heldBodies: HeldBodies { self.pool.heldBodies }

    /// What was agreed when TLS was established, if it was.
    var tls: TLSFacts? { self.member.line.tls }

    /// What was agreed with the proxy, if that speaks TLS.
    var proxyTLS: TLSFacts? { self.member.line.proxyTLS }

    /// What an observer is told of the connection.
    func described(through route: Route) -> ExchangeConnection {
        ExchangeConnection(
            isReused: self.isReused,
            addresses: self.connection.addresses,
            proxy: route.proxy?.description,
            tls: self.tls
        )
    }

    /// The exchange is over and the connection may serve another, unless it was made for one call alone.
    func giveBack() {
        guard !self.member.line.isForOneCall else { return self.discard() }
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.takeBack(self.member)
    }

    /// The connection leaves the pool, open, and belongs to the caller: it speaks another protocol from now on.
    func detach() -> any Connection {
        if !self.isSettled.exchange(true, ordering: .relaxed) { self.pool.discard(self.member.host) }
        return self.connection
    }

    /// Closes the connection, which is of no more use.
    ///
    /// Its place is free when the system has the descriptor back.
    func discard() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.connection.close { [pool, host = self.member.host] in pool.discard(host) }
    }
}

/// A connection and the number of the host that it is connected to.
final class PooledConnection: Sendable {
    let line: Dialer.Line
    let host: ConnectionPool.HostNumber

    init(_ line: Dialer.Line, to host: ConnectionPool.HostNumber) {
        self.line = line
        self.host = host
    }

    var connection: any Connection { self.line.connection }
}
