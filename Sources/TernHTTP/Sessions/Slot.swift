// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// The owner of a session, which lends it in ``Slot``s.
protocol SessionPool: AnyObject, Sendable {
    var heldBodies: HeldBodies { get }

    /// Keeps the session for other exchanges that may use it, or closes it.
    func takeBack(_ pooled: PooledSession)

    /// Learns that the session is closed, or serves another protocol.
    func forget(_ pooled: PooledSession)
}

/// A place for one exchange on a session, lent by the session's owner.
///
/// At the end of the exchange, call ``giveBack()`` if another may follow, ``detach()`` if the protocol changes, and otherwise
/// ``discard()``. Only the first call has an effect. Releasing a slot without a call discards it, so no path can leak a connection.
final class Slot: Sendable {
    let isReused: Bool
    /// Whether the session was idle before this exchange, so that the server may have closed it.
    let wasIdle: Bool
    let pooled: PooledSession
    /// The negotiated TLS parameters, with the trust in the host of the exchange.
    let tls: TLSFacts?
    let isShared: Bool

    private let pool: any SessionPool
    private let isSettled = Atomic<Bool>(false)

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

    var heldBodies: HeldBodies { self.pool.heldBodies }

    func described(through route: Route) -> ExchangeConnection {
        ExchangeConnection(
            isReused: self.isReused,
            addresses: self.pooled.established.connection.addresses,
            proxy: route.proxy?.description,
            tls: self.tls,
            version: self.pooled.session.isMultiplexed ? .http2 : .http11
        )
    }

    func giveBack() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.takeBack(self.pooled)
    }

    func detach() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        self.pool.forget(self.pooled)
    }

    /// Ends a failed exchange: closes a session that serves one exchange at a time, and gives back another one.
    func discard() {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        guard !self.pooled.session.isMultiplexed else { return self.pool.takeBack(self.pooled) }
        self.pooled.session.close { [pool, pooled] in pool.forget(pooled) }
    }
}

extension Slot {
    /// Asks the call's own delegate about the certificates, unless the call has just connected; gives the slot back on an error.
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
