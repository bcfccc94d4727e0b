// SPDX-License-Identifier: Apache-2.0
import Tern
import TestSupport

/// A delegate whose answers are closures.
final class AnsweringDelegate: TaskDelegate {
    typealias Challenged = @Sendable (AuthenticationChallenge) async -> ChallengeDisposition?
    typealias Redirected = @Sendable (Request, Response) async -> RedirectDisposition?

    private let challenged: Challenged
    private let redirected: Redirected
    private let body: @Sendable () -> RequestBody?
    let completed: @Sendable (ClientError?) -> Void

    init(
        challenged: @escaping Challenged = { _ in nil },
        redirected: @escaping Redirected = { _, _ in nil },
        body: @escaping @Sendable () -> RequestBody? = { nil },
        completed: @escaping @Sendable (ClientError?) -> Void = { _ in }
    ) {
        self.challenged = challenged
        self.redirected = redirected
        self.body = body
        self.completed = completed
    }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        await self.challenged(challenge)
    }

    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition? {
        await self.redirected(request, response)
    }

    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody? { self.body() }

    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) { self.completed(error) }
}

/// Waits forever, even if the task is cancelled: a delegate that never answers.
func neverAnswer() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
