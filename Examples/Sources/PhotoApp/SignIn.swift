// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Tern

/// Answers the challenges of one call with the user name and the password from the command line, or asks at the terminal.
struct SignIn: TaskDelegate {
    var user: String?
    var password: String?
    /// Asks the user at the terminal; returns `nil` if the user does not answer.
    var ask: @Sendable (_ question: String, _ isSecret: Bool) async -> String? = { question, isSecret in
        await Terminal.ask(question, isSecret: isSecret)
    }
    var tell: @Sendable (String) -> Void = { Terminal.tell($0) }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        guard challenge.protectionSpace.scheme == .basic else { return nil }  // not mine: the default applies
        return await self.answer(asked: challenge.previousFailureCount + 1, by: "\(challenge.protectionSpace)")
    }

    /// Returns the answer to a challenge; `time` is 1 for the first challenge, 2 for the second, and so on.
    func answer(asked time: Int, by space: String) async -> ChallengeDisposition {
        if time > 1 {
            // The server has refused the answer, and the options give no other. So let the call return the 401.
            guard self.user == nil || self.password == nil else { return .performDefaultHandling }
            self.tell("That was wrong.\n")
        }
        guard let user = await self.known(self.user, "User for \(space): ", isSecret: false) else {
            self.tell("No user was given.\n")
            return .performDefaultHandling
        }
        let question = self.user == nil ? "Password: " : "Password of \(user) for \(space): "
        guard let password = await self.known(self.password, question, isSecret: true) else {
            self.tell("No password was given.\n")
            return .performDefaultHandling
        }
        return .useCredential(Credential(user: user, password: password))
    }

    private func known(_ given: String?, _ question: String, isSecret: Bool) async -> String? {
        if let given { return given }
        return await self.ask(question, isSecret)
    }
}
