// SPDX-License-Identifier: Apache-2.0

/// Which of a response's challenges to answer first.
public enum ChallengeRanking: Sendable {
    /// The challenges that can be answered at all, the strongest first.
    ///
    /// Bearer comes first, then Digest with SHA-512-256, SHA-256 and MD5, then Basic; equal ones keep the server's
    /// order. Unknown schemes are left out, and challenges of Digest that lack what it needs or ask for what is
    /// unknown.
    ///
    /// RFC 7616 §3.7 would take the first challenge that is supported, "unless a local policy dictates otherwise". The
    /// order here is that policy, so that a server's mistake costs no strength.
    ///
    /// - Parameter challenges: the challenges of one response.
    /// - Returns: some of them in another order; empty if none can be answered.
    public static func strongestFirst(_ challenges: [HTTPChallenge]) -> [HTTPChallenge] {
        let ranked = challenges.enumerated().compactMap { place, challenge in
            self.strength(of: challenge).map { (strength: $0, place: place, challenge: challenge) }
        }
        return ranked.sorted { ($1.strength, $0.place) < ($0.strength, $1.place) }.map(\.challenge)
    }

    /// How strong a challenge is; `nil` if it cannot be answered.
    private static func strength(of challenge: HTTPChallenge) -> Int? {
        switch challenge.scheme {
        case .basic: 0
        case .digest: (try? DigestChallenge(challenge)).map { 1 + $0.algorithm.hash.rawValue }
        case .bearer: 4
        default: nil
        }
    }
}
