// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernAuthentication
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Answers the challenges of proxies that are asked for a tunnel, as ``Authentication`` does those of others.
struct ProxyTunnelAuthorizer: TunnelAuthorizer {
    let finder: CredentialFinder

    func tunnel(to authority: String, through proxy: Proxy, for call: Call) -> any TunnelAuthorization {
        Opening(self.finder, authority, proxy, call)
    }

    /// The opening of one tunnel.
    private final class Opening: TunnelAuthorization {
        private let finder: CredentialFinder
        private let authority: String
        private let challenger: Challenger
        private let call: Call
        private let round = Mutex(ChallengeRound())

        init(_ finder: CredentialFinder, _ authority: String, _ proxy: Proxy, _ call: Call) {
            self.finder = finder
            self.authority = authority
            self.challenger = .proxy(proxy)
            self.call = call
        }

        func value(answering response: HTTPResponse?) async throws(ClientError) -> String? {
            // What the caller wrote himself is for the proxy, and all there is to say.
            if let own = self.call.request.fields[.proxyAuthorization] { return response == nil ? own : nil }
            var round = self.round.withLock { $0 }
            defer { self.round.withLock { [round] in $0 = round } }
            if let response {
                let isAnswered = try await self.finder.answer(
                    response,
                    from: self.challenger,
                    target: self.authority,
                    for: self.call,
                    &round
                )
                guard isAnswered else { return nil }
            } else if let active = self.finder.known(to: self.challenger, target: self.authority, for: self.call) {
                round.use(active, isInherited: true)
            }
            return try self.value(of: round)
        }

        var isForOneCall: Bool {
            self.round.withLock { round in
                guard let active = round.active else { return false }
                return active.credential.persistence == .none
            }
        }

        func accepted() async throws(ClientError) {
            try await self.finder.accepted(self.round.withLock { $0 }, 200, for: self.call)
        }

        private func value(of round: ChallengeRound) throws(ClientError) -> String? {
            guard let active = round.active else { return nil }
            let authority = self.authority
            do throws(AuthorizationFailure) {
                return try active.withAuthorizer { authorizer throws(AuthorizationFailure) in
                    // A CONNECT has no body; `auth-int` protects an empty one.
                    let bodyHash = authorizer.bodyHasher?.finalize()
                    return try authorizer.fieldValue(
                        method: "CONNECT",
                        target: authority,
                        bodyHash: bodyHash,
                        cnonce: Hexadecimal.random128()
                    )
                }
            } catch {
                throw .authenticationFailed(.credentialNotUsable(error.description), self.call.context(.proxy))
            }
        }
    }
}
