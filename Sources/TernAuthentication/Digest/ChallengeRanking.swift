// SPDX-License-Identifier: Apache-2.0

/// Decides which of a response's challenges to answer first.
public enum ChallengeRanking: Sendable {
    /// Returns the challenges that can be answered, strongest first.
    ///
    /// Bearer comes first, then Digest with SHA-512-256, SHA-256 and MD5, then Basic. Challenges of equal strength keep
    /// the server's order. Unknown schemes are left out, and so are Digest challenges that lack a required parameter or
    /// ask for an unsupported feature.
    ///
    /// RFC 7616 §3.7 would take the first supported challenge, "unless a local policy dictates otherwise". This order
    /// is such a policy: the client uses the strongest scheme even if a server lists a weaker one first.
    ///
    /// - Parameter challenges: The challenges of one response.
    /// - Returns: The challenges that can be answered, reordered.
    public static func strongestFirst(_ challenges: [HTTPChallenge]) -> [HTTPChallenge] {
        let ranked = challenges.enumerated().compactMap { place, challenge in
            self.strength(of: challenge).map { (strength: $0, place: place, challenge: challenge) }
        }
        return ranked.sorted { ($1.strength, $0.place) < ($0.strength, $1.place) }.map(\.challenge)
    }

    /// Returns the strength of a challenge; `nil` if it cannot be answered.
    private static func strength(of challenge: HTTPChallenge) -> Int? {
        switch challenge.scheme {
        case .basic: 0
        case .digest: (try? DigestChallenge(challenge)).map { 1 + $0.algorithm.hash.rawValue }
        case .bearer: 4
        default: nil
        }
    }
}
