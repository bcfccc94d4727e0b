// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Tern

/// Answers the challenges of one call: by what was given on the command line, and by asking for the rest.
struct SignIn: TaskDelegate {
    /// The user that was given; `nil` to ask.
    var user: String?
    /// The password that was given; `nil` to ask.
    var password: String?
    /// Asks the user at the terminal; `nil` is no answer.
    var ask: @Sendable (_ question: String, _ isSecret: Bool) async -> String? = { question, isSecret in
        await Terminal.ask(question, isSecret: isSecret)
    }
    /// Tells them something.
    var tell: @Sendable (String) -> Void = { Terminal.tell($0) }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        guard challenge.protectionSpace.scheme == .basic else { return nil }  // not mine: the default applies
        return await self.answer(asked: challenge.previousFailureCount + 1, by: "\(challenge.protectionSpace)")
    }

    /// The answer when the server asks for the first, second or later time.
    func answer(asked time: Int, by space: String) async -> ChallengeDisposition {
        if time > 1 {
            // The same answer would be wrong again; the 401 is the outcome then.
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
