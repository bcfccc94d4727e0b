// SPDX-License-Identifier: Apache-2.0
import Tern

/// A delegate that answers the service's challenge, in place of a form that asks a person.
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
