// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernRequests
import Testing

@testable import Tern

@Suite("ChallengeAttempts")
struct ChallengeAttemptsTests {
    private static let origin = Origin(scheme: .http, host: "test")

    private static func challenge(_ scheme: AuthenticationScheme, isStale: Bool = false) -> HTTPChallenge {
        var parameters = [("realm", "birds"), ("nonce", "n"), ("qop", "auth")]
        if isStale { parameters.append(("stale", "True")) }
        return HTTPChallenge(
            scheme: scheme,
            parameters: parameters.map { HTTPChallenge.Parameter(name: $0.0, value: $0.1) }
        )
    }

    /// Returns the attempts of a call that has answered a challenge of this scheme.
    private static func attempts(
        _ scheme: AuthenticationScheme,
        isInherited: Bool = false
    ) throws -> ChallengeAttempts {
        let credential =
            scheme == .bearer ? Credential(token: "secret") : Credential(user: "albert", password: "einstein")
        let challenge = Self.challenge(scheme)
        let authorizer = try Authorizer(challenge, credential, origin: Self.origin, target: "/")
        let space = ProtectionSpace(origin: Self.origin, challenge: challenge)
        var attempts = ChallengeAttempts()
        let active = ActiveCredential(authorizer, credential, for: space, of: .server(Self.origin))
        attempts.use(active, isInherited: isInherited)
        return attempts
    }

    @Test(arguments: [true, false])
    func `a response without a challenge refuses the credential that was sent, and none if none was sent`(
        _ isInherited: Bool
    ) throws {
        var attempts = try Self.attempts(.basic, isInherited: isInherited)
        guard case .refused = attempts.challenged(by: []) else {
            Issue.record("not refused")
            return
        }
        guard case .new = attempts.challenged(by: []) else {
            Issue.record("refused twice")
            return
        }
    }

    /// RFC 7616 §3.3 defines `stale` for Digest alone.
    @Test(arguments: [(AuthenticationScheme.digest, true), (.basic, false), (.bearer, false)])
    func `stale excuses the credential of Digest, and refuses that of other schemes`(
        _ scheme: AuthenticationScheme,
        _ isExcused: Bool
    ) throws {
        var attempts = try Self.attempts(scheme)
        let challenge = Self.challenge(scheme, isStale: true)
        let verdict = attempts.challenged(by: [challenge])
        let isSentAgain = if case .again = verdict { true } else { false }
        #expect(isSentAgain == isExcused)
        let space = ProtectionSpace(origin: Self.origin, challenge: challenge)
        #expect(attempts.failureCount(in: space) == (isExcused ? 0 : 1))
        #expect((attempts.active == nil) == !isExcused)
    }
}
