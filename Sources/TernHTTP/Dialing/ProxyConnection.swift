// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernTransport

/// A connection to a proxy that is made for one tunnel, and that serves one CONNECT after the other until the tunnel is open.
final class ProxyConnection: SessionPool {
    private enum State {
        /// The connection has served no CONNECT; the deadline began before the dialer connected. Exit: `lent`.
        case new(PooledSession, CallDeadline?)
        /// The connection serves a CONNECT, or has served its last one. Exit: `idle`.
        case lent(PooledSession)
        /// The connection may serve another CONNECT. Exit: `lent`.
        case idle(PooledSession)

        var pooled: PooledSession {
            switch self {
            case .new(let pooled, _), .lent(let pooled), .idle(let pooled): pooled
            }
        }
    }

    let heldBodies = HeldBodies()

    private let target: ConnectionTarget
    private let dialer: Dialer
    private let call: HTTPCall
    private let observer: DialObserver
    private let state: Mutex<State>

    init(
        _ established: EstablishedConnection,
        to target: ConnectionTarget,
        dialer: Dialer,
        for call: HTTPCall,
        reportingTo observer: DialObserver,
        _ deadline: CallDeadline?
    ) {
        self.target = target
        self.dialer = dialer
        self.call = call
        self.observer = observer
        self.state = Mutex(State.new(Self.pooled(established, target, dialer, call), deadline))
    }

    private static func pooled(
        _ established: EstablishedConnection,
        _ target: ConnectionTarget,
        _ dialer: Dialer,
        _ call: HTTPCall
    ) -> PooledSession {
        let session = HTTP1Session(established.connection, ExchangeSettings(dialer.configuration))
        let number = SessionNumber(index: 0, serial: 0)
        return PooledSession(session, established, to: target, number: number, dialedBy: call.number)
    }

    /// The last connection, which the dialer closes after an error.
    var established: EstablishedConnection { self.state.withLock { $0.pooled.established } }

    /// Lends the connection, or makes a new one in its place if it serves no other CONNECT, or if `isFresh`.
    func place(isFresh: Bool) async throws(ClientError) -> Tunnel.Place {
        let state = self.state.withLock { state in
            defer { state = .lent(state.pooled) }
            return state
        }
        switch state {
        case .new(let pooled, let deadline):
            return (slot: Slot(pooled, of: self, isReused: false, wasIdle: false), deadline: deadline)
        case .idle(let pooled) where !isFresh && pooled.session.isReady:
            return (slot: Slot(pooled, of: self, isReused: true, wasIdle: true), deadline: self.call.connectDeadline)
        case .idle(let old), .lent(let old):
            await old.session.closeAndWait()
            let deadline = self.call.connectDeadline
            let established = try await self.dialer
                .connect(self.target, for: self.call, reportingTo: self.observer, deadline)
            let pooled = Self.pooled(established, self.target, self.dialer, self.call)
            self.state.withLock { $0 = .lent(pooled) }
            return (slot: Slot(pooled, of: self, isReused: false, wasIdle: false), deadline: deadline)
        }
    }

    func takeBack(_ pooled: PooledSession) { self.state.withLock { $0 = .idle(pooled) } }

    func forget(_ pooled: PooledSession) {}
}
