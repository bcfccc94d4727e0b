// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernAuthentication
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Answers the challenges of proxies to CONNECT requests; ``Authentication`` answers all others.
struct ProxyTunnelAuthorizer: TunnelAuthorizer {
    let finder: CredentialFinder

    func tunnel(to authority: String, through proxy: Proxy, for call: HTTPCall) -> any TunnelAuthorization {
        Opening(self.finder, authority, proxy, call)
    }

    private final class Opening: TunnelAuthorization {
        private let finder: CredentialFinder
        private let authority: String
        private let challenger: Challenger
        private let call: HTTPCall
        private let shared: TunnelAttempts
        /// Those of this tunnel alone, because a dial of the same call that another call waits for may open one at the same time.
        private let attempts: Mutex<ChallengeAttempts>

        init(_ finder: CredentialFinder, _ authority: String, _ proxy: Proxy, _ call: HTTPCall) {
            let challenger = Challenger.proxy(proxy)
            let shared = call.tunnelAttempts ?? TunnelAttempts()
            self.finder = finder
            self.authority = authority
            self.challenger = challenger
            self.call = call
            self.shared = shared
            self.attempts = Mutex(shared.attempts(with: challenger))
        }

        func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField? {
            // If the caller set `Proxy-Authorization`, send this field to the proxy, and no credential that the client
            // knows.
            let own = self.call.request.fields[fields: .proxyAuthorization].first
            if let own { return response == nil ? own : nil }
            var attempts = self.attempts.withLock { $0 }
            defer { self.keep(attempts) }
            if let response {
                let isAnswered = try await self.finder.answer(
                    response,
                    from: self.challenger,
                    target: self.authority,
                    for: self.call,
                    &attempts
                )
                guard isAnswered else { return nil }
            } else if attempts.active == nil {
                let known = self.finder.known(to: self.challenger, target: self.authority, for: self.call)
                let active = known ?? self.finder.preemptive(for: self.challenger, by: self.call)
                if let active, !attempts.isRefused(active.credential) { attempts.use(active, isInherited: true) }
            }
            return try self.field(of: &attempts)
        }

        var isForOneCall: Bool {
            self.attempts.withLock { attempts in
                guard let active = attempts.active else { return false }
                return active.credential.persistence == .none
            }
        }

        func accepted() async throws(ClientError) {
            var attempts = self.attempts.withLock { $0 }
            try await self.finder.accepted(attempts, 200, for: self.call)
            attempts.accepted()
            self.keep(attempts)
        }

        private func keep(_ attempts: ChallengeAttempts) {
            self.attempts.withLock { $0 = attempts }
            self.shared.keep(attempts, with: self.challenger)
        }

        private func field(of attempts: inout ChallengeAttempts) throws(ClientError) -> HTTPField? {
            // A CONNECT request has no body, so `auth-int` protects an empty body.
            let bodyHash = attempts.active?.bodyHasher?.finalize()
            do throws(AuthorizationError) {
                let value = try attempts.fieldBytes(method: "CONNECT", target: self.authority, bodyHash: bodyHash)
                return value.map { HTTPField(name: .proxyAuthorization, value: $0) }
            } catch {
                throw .authenticationFailed(.credentialNotUsable(error.description), self.call.context(.proxy))
            }
        }
    }
}
