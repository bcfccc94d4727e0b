// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Tern

/// Answers the challenges of one call: by what was given on the command line, or by asking.
struct SignIn: TaskDelegate {
    /// A user and a password that were given; `nil` to ask for them.
    var given: (user: String, password: String)?

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        guard challenge.protectionSpace.scheme == .basic else { return nil }  // not mine: the default applies
        if let given {
            // Asked again, the same answer would be wrong again; the 401 is the outcome then.
            guard challenge.previousFailureCount == 0 else { return .performDefaultHandling }
            return .useCredential(Credential(user: given.user, password: given.password))
        }
        if challenge.previousFailureCount > 0 { Terminal.tell("That was wrong.\n") }
        guard let user = await Terminal.ask("User for \(challenge.protectionSpace): "),
            let password = await Terminal.ask("Password: ", isSecret: true)
        else { return .performDefaultHandling }
        return .useCredential(Credential(user: user, password: password))
    }
}
