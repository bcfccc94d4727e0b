// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tern

/// A delegate whose answers are closures, and which records the questions of the client.
final class SteeringDelegate: TaskDelegate {
    typealias Challenged = @Sendable (AuthenticationChallenge) async -> ChallengeDisposition?
    typealias Redirected = @Sendable (Request, Response) async -> RedirectDisposition?

    private let asked = Mutex<[AuthenticationChallenge]>([])
    private let bodyCount = Mutex(0)
    private let challenged: Challenged
    private let redirected: Redirected
    private let body: @Sendable () -> RequestBody?

    init(
        challenged: @escaping Challenged = { _ in nil },
        redirected: @escaping Redirected = { _, _ in nil },
        body: @escaping @Sendable () -> RequestBody? = { nil }
    ) {
        self.challenged = challenged
        self.redirected = redirected
        self.body = body
    }

    /// Creates a delegate that answers every challenge with the credential of an account.
    convenience init(_ account: Account, body: @escaping @Sendable () -> RequestBody? = { nil }) {
        self.init(challenged: { _ in .useCredential(account.credential) }, body: body)
    }

    /// The challenges so far, without those of TLS.
    var challenges: [AuthenticationChallenge] {
        let ofTLS: [AuthenticationScheme] = [.serverTrust, .clientCertificate]
        return self.asked.withLock { $0 }.filter { !ofTLS.contains($0.protectionSpace.scheme) }
    }
    var schemes: [AuthenticationScheme] { self.challenges.map(\.protectionSpace.scheme) }
    var failureCounts: [Int] { self.challenges.map(\.previousFailureCount) }
    /// The number of times that the client asked for a body.
    var neededBodyCount: Int { self.bodyCount.withLock { $0 } }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        self.asked.withLock { $0.append(challenge) }
        return await self.challenged(challenge)
    }

    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition? {
        await self.redirected(request, response)
    }

    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody? {
        self.bodyCount.withLock { $0 += 1 }
        return self.body()
    }
}

extension Account {
    /// The credential of the account for Basic and Digest, kept for the session.
    var credential: Credential { Credential(user: self.user, password: self.password) }

    /// A credential with the same user name and a wrong password.
    var wrongCredential: Credential { Credential(user: self.user, password: "wrong \(self.password)") }

    /// Returns a URL with the user name and the password in it.
    func url(_ text: String) -> String {
        let encode = { (part: String) in part.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? part }
        return text.replacing("://", with: "://\(encode(self.user)):\(encode(self.password))@", maxReplacements: 1)
    }
}
