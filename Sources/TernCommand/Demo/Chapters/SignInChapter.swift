// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern
import TernFoundation

/// Makes a photo a favourite, for which the server requires a sign-in.
struct SignInChapter: DemoChapter {
    let title = "Sign in to make a photo a favourite"

    static let path = "/photos/1/favorite"
    static let realm = "Tern Photos"
    static let user = "anna"
    static let password = "woof"

    private let questioner: (any Questioner)?

    init(asking questioner: (any Questioner)? = Self.audience) { self.questioner = questioner }

    private static var audience: Terminal? {
        System.isTerminal(System.standardInput) && System.isTerminal(System.standardOutput) ? Terminal() : nil
    }

    func play(on stage: DemoStage) async throws {
        let before = try await self.favourites(stage)
        let signIn = SignIn(stage, self.questioner)
        let request = Request(.put, stage.url(Self.path))
        let (data, response) = try await stage.client.data(for: request, delegate: signIn)
        try stage.expect(response.status == .ok, "signing in leads to 200, not to \(response.status)")
        let photo = try JSONDecoder().decode(PhotoChapter.Metadata.self, from: data)
        try stage.expect(photo.favourites == before + 1, "the photo has one more favourite")
        try stage.expect(
            signIn.refusalCount > 0 || self.questioner != nil,
            "the delegate is asked again after a refusal"
        )
        try await stage.say(
            "PUT \(Self.path): \(response.status), \"\(photo.title)\" is a favourite of \(photo.favourites) people"
        )

        let (_, second) = try await stage.client.data(for: request)
        try stage.expect(second.status == .ok, "accepted credentials are sent again without asking")
        try await stage.say("again, without a delegate: \(second.status), because the client remembers the credentials")
    }

    private func favourites(_ stage: DemoStage) async throws -> Int {
        let (data, _) = try await stage.client.data(from: stage.url("photos/1"))
        return try JSONDecoder().decode(PhotoChapter.Metadata.self, from: data).favourites
    }
}

private final class SignIn: TaskDelegate {
    /// The number of wrong answers after which the demo gives the right one.
    private static let maximumQuestionCount = 3

    private let stage: DemoStage
    private let questioner: (any Questioner)?
    private let refusals = Mutex(0)

    init(_ stage: DemoStage, _ questioner: (any Questioner)?) { (self.stage, self.questioner) = (stage, questioner) }

    var refusalCount: Int { self.refusals.withLock { $0 } }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        guard challenge.protectionSpace.scheme == .basic else { return nil }  // the demo answers only Basic
        self.refusals.withLock { $0 = challenge.previousFailureCount }
        do {
            let (user, password) = try await self.answer(to: challenge)
            return .useCredential(Credential(user: user, password: password))
        } catch {
            return .cancel
        }
    }

    private func answer(to challenge: AuthenticationChallenge) async throws -> (user: String, password: String) {
        let refused = challenge.previousFailureCount
        let times = refused > 0 ? ", refused so far: \(refused)" : ""
        try await self.stage.say("401, the delegate is asked: \(challenge.protectionSpace)\(times)")
        if refused < Self.maximumQuestionCount, let typed = try await self.ask(isFirst: refused == 0) { return typed }
        // There is no user, or the user gave no answer or too many wrong ones. If the server has not refused an answer
        // yet, give a wrong password to show the refusal.
        let password = refused == 0 ? "meow" : SignInChapter.password
        let judgement = refused == 0 ? "a wrong password" : "the right password"
        let credentials = "\(SignInChapter.user) and \(judgement)"
        try await self.stage.say("the demo itself answers with \(credentials)")
        return (SignInChapter.user, password)
    }

    private func ask(isFirst: Bool) async throws -> (user: String, password: String)? {
        guard let questioner else { return nil }
        if isFirst {
            try await self.stage.say("(the user is \(SignInChapter.user), the password \(SignInChapter.password))")
        }
        try await self.stage.output.finish()
        guard let user = try? await questioner.ask("   User: ", isSecret: false, otherwise: ""),
            let password = try? await questioner.ask("   Password: ", isSecret: true, otherwise: "")
        else { return nil }
        return (user, password)
    }
}
