// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Opens a tunnel over a pooled connection to the proxy.
///
/// With HTTP/2, the tunnel is a stream (RFC 9113 §8.5). With HTTP/1.1, the tunnel takes the whole connection.
struct SharedTunnel: Sendable {
    /// The maximum number of connections to the proxy to try, because a shared one may end at any time.
    private static let maximumAttemptCount = 4

    private let target: ConnectionTarget
    private let proxyTarget: ConnectionTarget
    private let dialer: Dialer
    private let connector: any LayeringConnector
    private let call: HTTPCall
    private let observer: DialObserver

    init(
        _ target: ConnectionTarget,
        _ proxyTarget: ConnectionTarget,
        dialer: Dialer,
        connector: any LayeringConnector,
        call: HTTPCall,
        _ observer: DialObserver
    ) {
        self.target = target
        self.proxyTarget = proxyTarget
        self.dialer = dialer
        self.connector = connector
        self.call = call
        self.observer = observer
    }

    func open(through lend: Dialer.Lender) async throws(ClientError) -> EstablishedConnection {
        var attemptCount = 0
        while true {
            let slot = try await lend(self.proxyTarget)
            try await slot.approve(self.proxyTarget, for: self.call)
            do throws(ClientError) {
                return try await self.open(in: slot)
            } catch {
                attemptCount += 1
                guard attemptCount < Self.maximumAttemptCount, Self.mayTryAgain(error, slot) else { throw error }
            }
        }
    }

    /// Returns whether the client may send CONNECT, which has no content, again over another connection to the proxy.
    private static func mayTryAgain(_ error: ClientError, _ slot: Slot) -> Bool {
        guard case .connectionLost = error, slot.pooled.session.isMultiplexed else { return false }
        return slot.isReused || error.context.delivery == .refused
    }

    private func open(in slot: Slot) async throws(ClientError) -> EstablishedConnection {
        self.observer.didReach(.tunnelling)
        var established = slot.pooled.established
        var isOpen = false
        do throws(ClientError) {
            if let session = slot.pooled.session as? HTTP2Session {
                try await self.openStream(of: session, in: slot, &established)
                isOpen = true
            } else {
                slot.detach()
                isOpen = true
                let deadline = self.call.deadline(.connect, self.call.timeouts.connect)
                try await self.tunnel.open(over: &established, isReused: slot.isReused, deadline)
            }
            self.observer.didReach(.tunnelled)
            let deadline = self.call.deadline(.connect, self.call.timeouts.connect)
            try await self.dialer
                .encrypt(&established, self.target, for: self.call, reportingTo: self.observer, deadline)
            return established
        } catch {
            if isOpen { await established.connection.closeAndWait() } else { slot.giveBack() }
            throw error
        }
    }

    private var tunnel: Tunnel {
        get throws(ClientError) {
            guard let proxy = self.target.route.proxy else {
                throw .connectionLost(.closed, self.call.context(.proxy))
            }
            return Tunnel(self.target, proxy, dialer: self.dialer, call: self.call, self.observer)
        }
    }

    // MARK: HTTP/2

    /// Opens the tunnel as a stream, and sets `established.connection` to the connection inside it.
    private func openStream(
        of session: HTTP2Session,
        in slot: Slot,
        _ established: inout EstablishedConnection
    ) async throws(ClientError) {
        let tunnel = try self.tunnel
        var negotiation = try await Tunnel.Negotiation(tunnel)
        while true {
            let stream = HTTP2ExchangeStream(session)
            var isOpen = false
            defer { if !isOpen { stream.abort() } }
            isOpen = try await negotiation.isOpen(by: tunnel.ask(stream, negotiation.credentials))
            guard isOpen else { continue }
            let connection = HTTP2StreamConnection(stream, in: slot, clock: session.clock)
            do throws(ConnectionError) {
                // TLS with the server runs inside the stream.
                established.connection =
                    self.target.isEncrypted ? try await self.connector.layer(over: connection) : connection
            } catch {
                connection.close()
                throw self.call.error(error, .proxy)
            }
            established.isTunnelForOneCall = negotiation.isForOneCall
            return
        }
    }
}
