// SPDX-License-Identifier: Apache-2.0
import Observation
import Tern

/// An interceptor that counts the calls under way, for an indicator in the status bar.
@MainActor @Observable
final class Activity: Interceptor {
    private(set) var count = 0
    private(set) var total = 0

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        self.count += 1
        self.total += 1
        defer { self.count -= 1 }
        return try await next.respond(to: call)
    }
}
