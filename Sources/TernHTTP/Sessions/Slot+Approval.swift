// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

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
