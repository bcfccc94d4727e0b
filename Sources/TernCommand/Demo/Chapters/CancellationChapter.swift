// SPDX-License-Identifier: Apache-2.0
import Tern

/// Cancels a task that loads two resources one by one.
struct CancellationChapter: DemoChapter {
    let title = "Cancel a task that loads two resources one by one"

    static let slowPaths = ["/slow/1", "/slow/2"]

    func play(on stage: DemoStage) async throws {
        let paths = Self.slowPaths
        let task = Task {
            _ = try await stage.client.data(from: stage.url(paths[0]))
            _ = try await stage.client.data(from: stage.url(paths[1]))
        }
        let hasBegun = try await stage.server.journal.waits(for: .requested(paths[0]))
        try stage.expect(hasBegun, "the first load begins")
        try await stage.say("GET \(paths[0]) is under way; the server takes its time")

        let start = ContinuousClock.now
        task.cancel()
        let result = await task.result
        let time = ContinuousClock.now - start
        guard case .failure(ClientError.cancelled(let context)) = result else {
            throw DemoFailure("a cancelled task ends with .cancelled")
        }
        try await stage.say("cancelled: it ended after \(Figures.time(time)) with .cancelled, phase \(context.phase)")
        try stage.expect(time < .milliseconds(500), "cancelling takes no time")

        let isClosed = try await stage.server.journal.waits(for: .disconnected(paths[0]))
        try stage.expect(isClosed, "the server sees the connection close")
        try stage.expect(!stage.server.journal.holds(.requested(paths[1])), "the second load never begins")
        try await stage.say("the server saw the connection close; GET \(paths[1]) was never sent")
    }
}
