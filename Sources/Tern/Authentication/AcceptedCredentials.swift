// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernRequests

/// A credential that a server or proxy may accept, with its authorizer; later calls may use it once it was accepted.
final class ActiveCredential: Sendable {
    let space: ProtectionSpace
    /// The server or proxy; two proxies with the same address but different users are different.
    let challenger: Challenger
    let credential: Credential
    /// Whether the credential came with a request or its URL, so that only requests with the same one may use it.
    let isFromRequest: Bool
    private let authorizer: Mutex<Authorizer>

    init(
        _ authorizer: Authorizer,
        _ credential: Credential,
        for space: ProtectionSpace,
        of challenger: Challenger,
        isFromRequest: Bool = false
    ) {
        self.isFromRequest = isFromRequest
        self.authorizer = Mutex(authorizer)
        self.challenger = challenger
        self.credential = credential
        self.space = space
    }

    /// Runs `body` with exclusive access to the authorizer, so that two calls never use the same nonce count.
    func withAuthorizer<Value: Sendable>(
        _ body: (inout Authorizer) throws(AuthorizationError) -> Value
    ) throws(AuthorizationError) -> Value {
        try self.authorizer.withLock { authorizer throws(AuthorizationError) in
            try body(&authorizer)
        }
    }

    var bodyHasher: BodyHasher? { self.authorizer.withLock { $0.bodyHasher } }

    func isReplaced(by other: ActiveCredential) -> Bool {
        guard self.space == other.space, self.isFromRequest == other.isFromRequest else { return false }
        guard self.credential.content == other.credential.content else { return !self.isFromRequest }
        return self.space.scheme == .digest
    }

    /// Whether the client may send the credential with a request before the server asks for it.
    func covers(_ origin: Origin, target: String) -> Bool {
        self.authorizer.withLock { $0.covers(origin, target: target) }
    }
}

/// Credentials that servers and proxies have accepted during the client's lifetime.
final class AcceptedCredentials: Sendable {
    /// The maximum number of servers and proxies to remember, without which a crawler's memory would grow without end.
    private static let maximumCount = 1024
    /// The maximum number of credentials for each server, which may have a realm for each folder, and many users.
    private static let maximumCountPerServer = 64

    private let spaces = Mutex<[Challenger: [ActiveCredential]]>([:])
    private let hasAny = Atomic<Bool>(false)

    /// Whether no credential was ever added, so that most clients need not take the lock.
    var isEmpty: Bool { !self.hasAny.load(ordering: .relaxed) }

    /// Returns a credential that the client may send to the challenger without waiting for a challenge.
    func credential(
        for challenger: Challenger,
        target: String,
        where isWanted: (ActiveCredential) -> Bool
    ) -> ActiveCredential? {
        guard !self.isEmpty else { return nil }
        let origin = challenger.origin
        return self.spaces.withLock { spaces in
            spaces[challenger]?.last { isWanted($0) && $0.covers(origin, target: target) }
        }
    }

    /// Returns the credential that was accepted in a protection space and did not come with a request, if any.
    func credential(in space: ProtectionSpace, of challenger: Challenger) -> Credential? {
        guard !self.isEmpty else { return nil }
        return self.spaces.withLock { spaces in
            spaces[challenger]?.last { $0.space == space && !$0.isFromRequest }?.credential
        }
    }

    func keep(_ active: ActiveCredential) {
        let key = active.challenger
        self.spaces.withLock { spaces in
            if spaces.count >= Self.maximumCount, spaces[key] == nil { spaces.removeAll() }
            var known = spaces[key] ?? []
            known.removeAll { $0 === active || $0.isReplaced(by: active) }
            if known.count >= Self.maximumCountPerServer { known.removeFirst() }
            known.append(active)
            spaces[key] = known
        }
        self.hasAny.store(true, ordering: .relaxed)
    }

    func forget(_ active: ActiveCredential) {
        let key = active.challenger
        self.spaces.withLock { spaces in
            spaces[key]?.removeAll { known in
                known === active || (known.space == active.space && known.credential == active.credential)
            }
            if spaces[key]?.isEmpty == true { spaces[key] = nil }
        }
    }
}
