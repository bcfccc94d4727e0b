// SPDX-License-Identifier: Apache-2.0

/// Decides which of a response's challenges to answer first.
public enum ChallengeRanking: Sendable {
    /// Returns the challenges that can be answered, strongest first, and of equal strength in the server's order.
    ///
    /// Bearer comes first, then Digest with SHA-512-256, SHA-256 and MD5, then Basic, even if a server lists a weaker one first:
    /// RFC 7616 §3.7 allows "a local policy". Challenges of other schemes are left out, and so are Digest challenges that no
    /// credential can answer.
    ///
    /// - Parameter challenges: The challenges of one response.
    /// - Returns: The challenges that can be answered, reordered.
    public static func strongestFirst(_ challenges: [HTTPChallenge]) -> [HTTPChallenge] {
        let ranked = challenges.enumerated().compactMap { place, challenge in
            self.strength(of: challenge).map { (strength: $0, place: place, challenge: challenge) }
        }
        return ranked.sorted { ($1.strength, $0.place) < ($0.strength, $1.place) }.map(\.challenge)
    }

    private static func strength(of challenge: HTTPChallenge) -> Int? {
        switch challenge.scheme {
        case .basic: 0
        case .digest: (try? DigestChallenge(challenge)).map { 1 + $0.algorithm.hash.rawValue }
        case .bearer: 4
        default: nil
        }
    }
}
