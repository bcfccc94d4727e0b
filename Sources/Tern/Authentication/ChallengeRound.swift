// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernAuthentication
import TernProxies
import TernRequests

/// What one call has tried with one challenger: decides what is to be tried next, and does nothing.
struct ChallengeRound {
    /// How often one call answers challenges; then the 401 or 407 is the response, whatever a delegate says.
    static let maximumAnswerCount = 16
    /// How often in one call a server may call a nonce stale; a good one does so once.
    private static let maximumStaleCount = 3

    /// What the last request carried.
    private(set) var active: ActiveCredential?
    /// Whether a server accepted it in an earlier call, and this call has not proven it yet.
    private var isInherited = false
    private var refused: Set<Credential.Content> = []
    private var rejected: Set<ProtectionSpace> = []
    private var failureCounts: [ProtectionSpace: Int] = [:]
    private var answerCount = 0
    private var staleCount = 0
    /// The server's nonce in the last request; `nil` unless it carried Digest.
    private var sentNonce: [UInt8]?
    private var hasRenewed = false

    init() {}

    /// The next request carries this.
    mutating func use(_ active: ActiveCredential, isInherited: Bool) {
        self.active = active
        self.isInherited = isInherited
        if !isInherited { self.answerCount += 1 }
    }

    /// The bytes of the field for the next request; `nil` if it carries nothing.
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

    /// Whether something is in use that only this call knows.
    var isNew: Bool { self.active != nil && !self.isInherited }

    /// Whether there were too many answers.
    var isExhausted: Bool { self.answerCount >= Self.maximumAnswerCount }

    /// What a challenge means for what was sent.
    enum Verdict {
        /// The same credential may be sent again, because only the nonce was too old.
        case again
        /// The credential was refused.
        case refused(ActiveCredential)
        /// Nothing was sent, or what is good for another protection space.
        case new
    }

    /// The challenger asks, or asks again; unless the same is to be sent again, the next request carries nothing yet.
    mutating func challenged(by challenges: [HTTPChallenge]) -> Verdict {
        guard let active = self.active else { return .new }
        let verdict = try? active.withAuthorizer { $0.challenged(by: challenges) }
        // Another call may have taken the new nonce in the meantime, so that it is no longer new.
        let isStale = challenges.contains { Self.isAbout(active.space, $0) && $0["stale"]?.lowercased() == "true" }
        if verdict == .again || isStale, self.staleCount < Self.maximumStaleCount {
            self.staleCount += 1
            return .again
        }
        if self.renew(active, challenges) { return .again }
        self.active = nil
        // What was sent unasked is not refused by who asks about another space: realms "allow the protected resources on
        // a server to be partitioned into a set of protection spaces" (RFC 9110 §11.5), whose bounds only it knows.
        if self.isInherited, !challenges.contains(where: { Self.isAbout(active.space, $0) }) { return .new }
        self.refused.insert(active.credential.content)
        self.failureCounts[active.space, default: 0] += 1
        return .refused(active)
    }

    /// Takes a nonce that comes without `stale`, once in a call, and only for what another call was accepted with.
    ///
    /// RFC 7616 §3.3: without `stale`, "the username and/or password are invalid". But a server that was restarted, or that
    /// never says `stale`, answers so to a good password, too. What was sent in answer to a nonce of this very call was
    /// tried against a new one, and is not tried again: a wrong password must not count twice.
    private mutating func renew(_ active: ActiveCredential, _ challenges: [HTTPChallenge]) -> Bool {
        guard self.isInherited, !self.hasRenewed, let nonce = self.sentNonce else { return false }
        self.hasRenewed = (try? active.withAuthorizer { $0.renew(from: challenges, replacing: nonce) }) ?? false
        return self.hasRenewed
    }

    /// Whether a challenge is that of a space; what was sent by the request's wish alone knows of no realm.
    private static func isAbout(_ space: ProtectionSpace, _ challenge: HTTPChallenge) -> Bool {
        challenge.scheme == space.scheme && (space.realm == nil || challenge.realm == space.realm)
    }

    func failureCount(in space: ProtectionSpace) -> Int { self.failureCounts[space] ?? 0 }

    func isRefused(_ credential: Credential) -> Bool { self.refused.contains(credential.content) }

    func isRejected(_ space: ProtectionSpace) -> Bool { self.rejected.contains(space) }

    mutating func reject(_ space: ProtectionSpace) { self.rejected.insert(space) }
}

/// Who asks for credentials: the server or a proxy (RFC 9110 §11.6, §11.7).
enum Challenger: Hashable, Sendable {
    case server(Origin)
    case proxy(Proxy)

    var isProxy: Bool {
        if case .proxy = self { true } else { false }
    }

    /// The server or proxy that a credential is for.
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

    /// The challenger that a response's status names: the server or a proxy.
    init?(_ statusCode: Int, _ origin: Origin, _ proxy: Proxy?) {
        switch (statusCode, proxy) {
        case (401, _): self = .server(origin)
        case (407, let proxy?): self = .proxy(proxy)
        default: return nil
        }
    }
}
