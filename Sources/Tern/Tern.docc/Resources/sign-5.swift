import Foundation
import Tern

enum WoofError: Error {
    case notSignedIn
}

/// Shows a form, and throws if the person closes it without an answer.
protocol SignInController: Sendable {
    func promptForCredential() async throws -> (user: String, password: String)
}

final class AuthenticationDelegate: TaskDelegate {
    private let controller: any SignInController

    init(_ controller: any SignInController) { self.controller = controller }

    func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? {
        guard challenge.protectionSpace.scheme == .basic else { return nil }
        guard challenge.previousFailureCount < 3 else {
            return .performDefaultHandling
        }
        do {
            let (user, password) = try await self.controller.promptForCredential()
            let credential = Credential(
                user: user,
                password: password,
                persistence: .forSession
            )
            return .useCredential(credential)
        } catch {
            return .cancel
        }
    }
}

func favourite(_ id: Int, by client: Client) async throws {
    let request = Request(.put, "https://photos.example.com")
        .path("photos")
        .pathSegment(id)
        .path("favorite")
    let (_, response) = try await client.data(for: request)
    guard response.status != .unauthorized else { throw WoofError.notSignedIn }
}
