// SPDX-License-Identifier: Apache-2.0
import TernAuthentication

/// What one call has tried with one challenger: decides what is to be tried next, and does nothing.
struct ChallengeRound {
    /// How often one call answers challenges; then the 401 or 407 is the response, whatever a delegate says.
    static let maximumAnswerCount = 16
    /// How often in a row a server may call a nonce stale; a good one does so once.
    private static let maximumStaleCount = 3

    /// What the last request carried.
    private(set) var active: ActiveCredential?
    /// Whether that is known to be good from another call, and nothing of this one.
    private var isInherited = false
    private var refused: Set<Credential.Content> = []
    private var rejected: Set<ProtectionSpace> = []
    private var failureCounts: [ProtectionSpace: Int] = [:]
    private var answerCount = 0
    private var staleCount = 0

    init() {}

    /// The next request carries this.
    mutating func use(_ active: ActiveCredential, isInherited: Bool) {
        self.active = active
        self.isInherited = isInherited
        if !isInherited { self.answerCount += 1 }
    }

    /// Whether something is in use that only this call knows.
    var isNew: Bool { self.active != nil && !self.isInherited }

    /// Whether there were too many answers.
    var isExhausted: Bool { self.answerCount >= Self.maximumAnswerCount }

    /// The challenger asks again: what to do with what was sent.
    ///
    /// - Returns: whether the same credential may be sent again, because only the nonce was too old.
    mutating func challenged(by challenges: [HTTPChallenge]) -> Bool {
        guard let active = self.active else { return false }
        let verdict = try? active.withAuthorizer { $0.challenged(by: challenges) }
        if verdict == .again, self.staleCount < Self.maximumStaleCount {
            self.staleCount += 1
            return true
        }
        self.refused.insert(active.credential.content)
        self.failureCounts[active.space, default: 0] += 1
        return false
    }

    /// What was sent was refused, and the next request carries nothing yet.
    mutating func dropActive() { self.active = nil }

    func failureCount(in space: ProtectionSpace) -> Int { self.failureCounts[space] ?? 0 }

    func isRefused(_ credential: Credential) -> Bool { self.refused.contains(credential.content) }

    func isRejected(_ space: ProtectionSpace) -> Bool { self.rejected.contains(space) }

    mutating func reject(_ space: ProtectionSpace) { self.rejected.insert(space) }
}
