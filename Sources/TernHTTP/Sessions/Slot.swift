// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// The part of the pool that a slot needs.
protocol SessionPool: AnyObject, Sendable {
    /// The unread response bodies, which hold connections of the pool.
    var heldBodies: HeldBodies { get }
    /// Takes back a session that may serve another exchange.
    func takeBack(_ pooled: PooledSession)
    /// Removes a session that is closed, or whose connection now serves another protocol.
    func forget(_ pooled: PooledSession)
}

/// A place for one exchange on a connection, lent by the pool.
///
/// At the end of the exchange, the code that ran it calls ``giveBack()`` if another exchange may follow, ``detach()``
/// if the connection changes to another protocol, and otherwise ``discard()``. Only the first of these calls has an
/// effect. Releasing a slot without such a call discards it, so no code path can leak a connection.
final class Slot: Sendable {
    /// Whether the session has served an exchange before.
    let isReused: Bool
    /// Whether the session was idle before this exchange, so that the server may have closed it.
    let wasIdle: Bool
    /// The session in the pool.
    let pooled: PooledSession
    /// The negotiated TLS parameters, with the trust in the host of the exchange; `nil` without TLS.
    let tls: TLSFacts?
    /// Whether the session was made for another host.
    let isShared: Bool

    private let pool: any SessionPool
    private let isSettled = Atomic<Bool>(false)

    /// Creates a slot of a session.
    ///
    /// - Parameters:
    ///   - pooled: The session.
    ///   - pool: The pool that lends the slot.
    ///   - isReused: Whether the session has served an exchange before.
    ///   - wasIdle: Whether the session was idle before this exchange.
    ///   - tls: The TLS parameters if the session was made for another host. Defaults to `nil`, for a session that was
    ///     made for the host of the exchange.
    init(
        _ pooled: PooledSession,
        of pool: any SessionPool,
        isReused: Bool,
        wasIdle: Bool,
        sharedBy tls: TLSFacts? = nil
    ) {
        self.pooled = pooled
        self.tls = tls ?? pooled.established.tls
        self.isShared = tls != nil
        self.pool = pool
        self.isReused = isReused
        self.wasIdle = wasIdle
    }

    deinit { self.discard() }

    /// The unread response bodies, which hold connections of the pool.
    var heldBodies: HeldBodies { self.pool.heldBodies }

    /// Returns the description of the connection for an observer.
    func described(through route: Route) -> ExchangeConnection {
        ExchangeConnection(
            isReused: self.isReused,
            addresses: self.pooled.established.connection.addresses,
            proxy: route.proxy?.description,
            tls: self.tls,
            version: self.pooled.session.isMultiplexed ? .http2 : .http11
        )
    }

    /// Gives the connection back to the pool for another exchange, or closes it if it was made for one call only.
    func giveBack() {
        guard !self.pooled.established.isForOneCall else { return self.discard() }
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.takeBack(self.pooled)
    }

    /// Removes the open connection from the pool, because the connection has switched to another protocol.
    func detach() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.forget(self.pooled)
    }

    /// Ends a failed exchange.
    ///
    /// A session that serves one exchange at a time, or only one call, is closed; its place is free when the system has
    /// released the descriptor. Any other session continues its other exchanges, because the failed exchange has ended
    /// only its stream.
    func discard() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        guard !self.pooled.session.isMultiplexed || self.pooled.established.isForOneCall else {
            return self.pool.takeBack(self.pooled)
        }
        self.pooled.session.close { [pool, pooled] in pool.forget(pooled) }
    }
}

extension Slot {
    /// Asks the call's own delegate about the certificates of the server, and about those of a proxy with TLS, unless
    /// the call has just made the connection.
    ///
    /// In that case, the delegate has seen the handshake.
    ///
    /// - Parameters:
    ///   - target: The target of the connection.
    ///   - call: The call.
    /// - Throws: `ClientError` if the call must not use the connection. The method then gives the slot back.
    func approve(_ target: ConnectionTarget, for call: HTTPCall) async throws(ClientError) {
        guard let decider = call.decider, self.isReused || self.pooled.dialer != call.number else { return }
        do throws(ClientError) {
            if let tls = self.pooled.established.proxyTLS, let proxy = target.route.proxy {
                try await decider.approve(tls, port: proxy.port, in: .proxy, for: call)
            }
            if let tls = self.tls { try await decider.approve(tls, port: target.origin.port, in: .tls, for: call) }
        } catch {
            self.giveBack()
            throw error
        }
    }
}

extension TLSDecider {
    /// Asks the delegate about a handshake that is already finished.
    ///
    /// - Throws: `ClientError` if the call must not use the connection.
    fileprivate func approve(
        _ tls: TLSFacts,
        port: Int,
        in phase: ClientError.Phase,
        for call: HTTPCall
    ) async throws(ClientError) {
        let decision = try await Bounded.run(for: call, in: phase) {
            await self.decide(on: tls.trust, port: port, isEstablished: true)
        }
        switch decision {
        case .accept: break
        case .byDefault: if let reason = tls.trust.evaluation { throw .tlsFailed(reason, call.context(phase)) }
        case .reject: throw .tlsFailed(.rejected, call.context(phase))
        }
    }
}
