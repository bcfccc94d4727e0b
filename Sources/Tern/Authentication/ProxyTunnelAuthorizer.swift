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
        private let attempts = Mutex(ChallengeAttempts())

        init(_ finder: CredentialFinder, _ authority: String, _ proxy: Proxy, _ call: HTTPCall) {
            self.finder = finder
            self.authority = authority
            self.challenger = .proxy(proxy)
            self.call = call
        }

        func field(answering response: HTTPResponse?) async throws(ClientError) -> HTTPField? {
            // If the caller set `Proxy-Authorization`, send this field to the proxy, and no credential that the client
            // knows.
            let own = self.call.request.fields[fields: .proxyAuthorization].first
            if let own { return response == nil ? own : nil }
            var attempts = self.attempts.withLock { $0 }
            defer { self.attempts.withLock { [attempts] in $0 = attempts } }
            if let response {
                let isAnswered = try await self.finder.answer(
                    response,
                    from: self.challenger,
                    target: self.authority,
                    for: self.call,
                    &attempts
                )
                guard isAnswered else { return nil }
            } else if let active = self.finder.known(to: self.challenger, target: self.authority, for: self.call) {
                attempts.use(active, isInherited: true)
            } else if let active = self.finder.preemptive(for: self.challenger, by: self.call) {
                attempts.use(active, isInherited: true)
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
            try await self.finder.accepted(self.attempts.withLock { $0 }, 200, for: self.call)
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
