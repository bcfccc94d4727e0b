// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernAuthentication
import TernProxies
import TernRequests

/// Records which credentials one call has tried with one server or proxy, and decides whether a challenge refuses the last one.
struct ChallengeAttempts {
    /// The maximum number of answers to one server or proxy between two redirects or retries of a call.
    ///
    /// Beyond it, the call returns the 401 or 407.
    static let maximumAnswerCount = 16
    /// The maximum number of times that a server may declare a nonce stale between two redirects or retries; normally once.
    ///
    /// Beyond it, the credential counts as refused.
    private static let maximumStaleCount = 3

    /// The credential of the last request, or the one that the caller has set for the next request.
    private(set) var active: ActiveCredential?
    /// Whether the client sends the credential unasked: an earlier call or tunnel succeeded with it, or the caller wants it.
    private var isInherited = false
    private var refused: Set<Credential.Content> = []
    private var rejected: Set<ProtectionSpace> = []
    private var failureCounts: [ProtectionSpace: Int] = [:]
    private var answerCount = 0
    private var staleCount = 0
    /// The server's nonce in the last request; `nil` unless the request used Digest.
    private var sentNonce: [UInt8]?
    private var hasRenewed = false

    init() {}

    mutating func use(_ active: ActiveCredential, isInherited: Bool) {
        self.active = active
        self.isInherited = isInherited
        if !isInherited { self.answerCount += 1 }
    }

    mutating func fieldBytes(
        method: String,
        target: String,
        bodyHash: String?
    ) throws(AuthorizationError) -> [UInt8]? {
        guard let active = self.active else { return nil }
        let (bytes, nonce) = try active.withAuthorizer { authorizer throws(AuthorizationError) in
            let cnonce = active.space.scheme == .digest ? Hexadecimal.random128() : ""
            let bytes = try authorizer.fieldBytes(method: method, target: target, bodyHash: bodyHash, cnonce: cnonce)
            return (bytes, authorizer.nonce)
        }
        self.sentNonce = nonce
        return bytes
    }

    /// Whether the credential in use answers a challenge of this call.
    var isNew: Bool { self.active != nil && !self.isInherited }

    /// Records that the proxy has opened a tunnel for the credential in use, with which the call may ask for another one.
    mutating func accepted() { (self.isInherited, self.hasRenewed, self.staleCount) = (true, false, 0) }

    var isExhausted: Bool { self.answerCount >= Self.maximumAnswerCount }

    enum Verdict {
        /// The server or proxy may have refused only the nonce, so the client sends the same credential again.
        case again
        /// The server or proxy refused the credential.
        case refused(ActiveCredential)
        /// No credential was refused: the client sent none, or sent one unasked that is for another protection space.
        case new
    }

    /// Handles a 401 or 407, which may have no challenge.
    ///
    /// Without the verdict `again`, the next request carries a credential only after ``use(_:isInherited:)``.
    mutating func challenged(by challenges: [HTTPChallenge]) -> Verdict {
        guard let active = self.active else { return .new }
        let verdict = try? active.withAuthorizer { $0.challenged(by: challenges) }
        // Check `isStale` here as well: if another call has already adopted the new nonce, the authorizer does not see it
        // as new.
        let isStale = challenges.contains { Self.isAbout(active.space, $0) && $0.isStale }
        if verdict == .again || isStale, self.staleCount < Self.maximumStaleCount {
            self.staleCount += 1
            return .again
        }
        if self.renew(active, challenges) { return .again }
        self.active = nil
        // If the client sent the credential without being asked, a challenge for another space does not refuse it:
        // realms "allow the protected resources on a server to be partitioned into a set of protection spaces" (RFC
        // 9110 §11.5), and only the server knows their bounds.
        if self.isInherited, !challenges.isEmpty, !challenges.contains(where: { Self.isAbout(active.space, $0) }) {
            return .new
        }
        self.refused.insert(active.credential.content)
        self.failureCounts[active.space, default: 0] += 1
        return .refused(active)
    }

    /// Adopts a nonce without `stale`, at most once in a call or for a tunnel, and only for a credential that was accepted before.
    ///
    /// By RFC 7616 §3.3 the password is then invalid. But a server that was restarted, or that never says `stale`, also refuses a
    /// correct one this way.
    private mutating func renew(_ active: ActiveCredential, _ challenges: [HTTPChallenge]) -> Bool {
        guard self.isInherited, !self.hasRenewed, let nonce = self.sentNonce else { return false }
        self.hasRenewed = (try? active.withAuthorizer { $0.renew(from: challenges, replacing: nonce) }) ?? false
        return self.hasRenewed
    }

    /// Whether a challenge is for a protection space, which matches any realm if the client knows none.
    private static func isAbout(_ space: ProtectionSpace, _ challenge: HTTPChallenge) -> Bool {
        challenge.scheme == space.scheme && (space.realm == nil || challenge.realm == space.realm)
    }

    /// Returns the number of refused credentials; one that was sent without a challenge counts for all realms of its scheme.
    func failureCount(in space: ProtectionSpace) -> Int {
        let all = ProtectionSpace(origin: space.origin, isProxy: space.isProxy, scheme: space.scheme)
        return (self.failureCounts[space] ?? 0) + (space == all ? 0 : self.failureCounts[all] ?? 0)
    }

    func isRefused(_ credential: Credential) -> Bool { self.refused.contains(credential.content) }

    func isRejected(_ space: ProtectionSpace) -> Bool { self.rejected.contains(space) }

    mutating func reject(_ space: ProtectionSpace) { self.rejected.insert(space) }
}

/// The party that asks for credentials: the server or a proxy (RFC 9110 §11.6, §11.7).
enum Challenger: Hashable, Sendable {
    case server(Origin)
    case proxy(Proxy)

    var isProxy: Bool {
        if case .proxy = self { true } else { false }
    }

    var origin: Origin {
        switch self {
        case .server(let origin): origin
        case .proxy(let proxy):
            Origin(scheme: proxy.kind == .https ? .https : .http, host: proxy.host, port: proxy.port)
        }
    }

    var challengeField: HTTPField.Name { self.isProxy ? .proxyAuthenticate : .wwwAuthenticate }
    var authorizationField: HTTPField.Name { self.isProxy ? .proxyAuthorization : .authorization }
    var infoField: HTTPField.Name { self.isProxy ? .proxyAuthenticationInfo : .authenticationInfo }

    /// Creates the challenger that sent a status: the server for 401, the proxy for 407.
    init?(_ statusCode: Int, _ origin: Origin, _ proxy: Proxy?) {
        switch (statusCode, proxy) {
        case (401, _): self = .server(origin)
        case (407, let proxy?): self = .proxy(proxy)
        default: return nil
        }
    }
}
