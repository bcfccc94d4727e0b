// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernRequests

/// A credential in use: what makes its field values, shared by all calls to its protection space.
final class ActiveCredential: Sendable {
    let space: ProtectionSpace
    /// Who asked: of proxies with different users, each has its own.
    let challenger: Challenger
    let credential: Credential
    /// Whether a request brought it, or its URL: then it is for requests that bring the same.
    let isBrought: Bool
    private let authorizer: Mutex<Authorizer>

    init(
        _ authorizer: Authorizer,
        _ credential: Credential,
        for space: ProtectionSpace,
        of challenger: Challenger,
        isBrought: Bool = false
    ) {
        self.isBrought = isBrought
        self.authorizer = Mutex(authorizer)
        self.challenger = challenger
        self.credential = credential
        self.space = space
    }

    /// Uses the authorizer; of two calls one waits for the other, so that no count of a nonce comes twice.
    func withAuthorizer<Value: Sendable>(
        _ body: (inout Authorizer) throws(AuthorizationError) -> Value
    ) throws(AuthorizationError) -> Value {
        try self.authorizer.withLock { authorizer throws(AuthorizationError) in
            try body(&authorizer)
        }
    }

    /// What to hash the body of the next request with; `nil` where nothing protects it.
    var bodyHasher: BodyHasher? { self.authorizer.withLock { $0.bodyHasher } }

    /// Whether another credential serves the same requests, and so takes the place of this one.
    func isReplaced(by other: ActiveCredential) -> Bool {
        guard self.space == other.space, self.isBrought == other.isBrought else { return false }
        guard self.credential.content == other.credential.content else { return !self.isBrought }
        return self.space.scheme == .digest
    }

    /// Whether a request may carry the credential unasked.
    func covers(_ origin: Origin, target: String) -> Bool {
        self.authorizer.withLock { $0.covers(origin, target: target) }
    }
}

/// Credentials that servers and proxies have accepted during the client's lifetime.
final class KnownSpaces: Sendable {
    /// How many servers and proxies are remembered; a crawler that signs in everywhere must not grow without end.
    private static let maximumCount = 1024
    /// How much is remembered of each: a server may have a realm for each directory, and many users.
    private static let maximumCountPerServer = 64

    private let spaces = Mutex<[Challenger: [ActiveCredential]]>([:])
    private let hasAny = Atomic<Bool>(false)

    /// Whether nothing was ever known, so that most clients never take the lock.
    var isEmpty: Bool { !self.hasAny.load(ordering: .relaxed) }

    /// The credential that a request to the challenger may carry unasked, of those that are wanted.
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

    /// What was used in a protection space before.
    func credential(in space: ProtectionSpace, of challenger: Challenger) -> Credential? {
        guard !self.isEmpty else { return nil }
        return self.spaces.withLock { spaces in
            spaces[challenger]?.last { $0.space == space && !$0.isBrought }?.credential
        }
    }

    /// A credential was accepted.
    func keep(_ active: ActiveCredential) {
        let key = active.challenger
        self.spaces.withLock { spaces in
            if spaces.count >= Self.maximumCount, spaces[key] == nil { spaces.removeAll() }
            var known = spaces[key] ?? []
            known.removeAll { $0.isReplaced(by: active) }
            if known.count >= Self.maximumCountPerServer { known.removeFirst() }
            known.append(active)
            spaces[key] = known
        }
        self.hasAny.store(true, ordering: .relaxed)
    }

    /// A credential was refused.
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
