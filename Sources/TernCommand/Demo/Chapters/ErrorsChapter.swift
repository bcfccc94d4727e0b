// SPDX-License-Identifier: Apache-2.0
import Tern

/// Shows that each error is a case of an enumeration, which says what happened and where.
struct ErrorsChapter: DemoChapter {
    let title = "Errors are cases, not texts"

    func play(on stage: DemoStage) async throws {
        let refused = Request(.get, "http://127.0.0.1:\(stage.server.unusedPort)/")
        try await self.show("no server at this port", refused, stage) { error in
            guard case .connectionFailed(.refused, _) = error else { return nil }
            return ".connectionFailed(.refused), isRetryable \(error.isRetryable)"
        }
        let late = Request(url: stage.url("slow/3")).timeout(.milliseconds(200))
        try await self.show("a response that takes too long", late, stage) { error in
            guard case .timedOut(.call, let limit, let context) = error else { return nil }
            return ".timedOut(.call, limit: \(limit)), phase \(context.phase)"
        }
        try await self.show("a body that ends early", Request(url: stage.url("truncated")), stage) { error in
            guard case .truncated(let received, let expected?, _) = error else { return nil }
            return ".truncated(received: \(received), expected: \(expected)), status \(error.status?.code ?? 0)"
        }
        let smuggled = Request(url: stage.url("photos/1")).header("X-Note", "sit\r\nX-Admin: yes")
        try await self.show("a line break in a field", smuggled, stage) { error in
            guard case .invalidRequest(.malformedFieldValue(let name), _) = error else { return nil }
            return ".invalidRequest(.malformedFieldValue(name: \(name))), nothing was sent"
        }
    }

    private func show(
        _ cause: String,
        _ request: Request,
        _ stage: DemoStage,
        _ describe: (ClientError) -> String?
    ) async throws {
        do throws(ClientError) {
            _ = try await stage.client.data(for: request)
        } catch {
            guard let description = describe(error) else {
                throw DemoFailure("\"\(cause)\" causes a different error; the actual error is: \(error)")
            }
            return try await stage.say("\(cause): \(description)")
        }
        throw DemoFailure("\"\(cause)\" causes an error")
    }
}

/// Cancels a task that loads two resources, one after the other.
struct CancellationChapter: DemoChapter {
    let title = "Cancel a task that loads two resources in turn"

    static let slowPaths = ["/slow/1", "/slow/2"]

    func play(on stage: DemoStage) async throws {
        let paths = Self.slowPaths
        let task = Task {
            _ = try await stage.client.data(from: stage.url(paths[0]))
            _ = try await stage.client.data(from: stage.url(paths[1]))
        }
        let hasBegun = try await stage.server.journal.waits(for: .requested(paths[0]))
        try stage.expect(hasBegun, "the first load begins")
        try await stage.say("GET \(paths[0]) has been sent; the server answers slowly")

        let start = ContinuousClock.now
        task.cancel()
        let result = await task.result
        let time = ContinuousClock.now - start
        guard case .failure(ClientError.cancelled(let context)) = result else {
            throw DemoFailure("a cancelled task ends with .cancelled")
        }
        try await stage.say(
            "cancelled: it ended after \(NumberFormat.time(time)) with .cancelled, phase \(context.phase)"
        )

        let isClosed = try await stage.server.journal.waits(for: .disconnected(paths[0]))
        try stage.expect(isClosed, "the server sees the connection close")
        try stage.expect(!stage.server.journal.holds(.requested(paths[1])), "the second load never begins")
        try await stage.say("the server saw the connection close; GET \(paths[1]) was never sent")
    }
}
