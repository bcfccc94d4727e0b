// SPDX-License-Identifier: Apache-2.0
import Tern

/// Answers the service's challenge, like a sheet with two fields would.
@MainActor
final class SignIn: TaskDelegate {
    private(set) var askedCount = 0

    func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? {
        self.askedCount += 1
        guard challenge.previousFailureCount == 0 else { return nil }
        return .useCredential(Credential(user: "ann", password: "biscuit"))
    }
}
