// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

private let challenge = ScriptedResponse.response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"])

@Suite("Delegates: how long they live", .hangLimit)
struct LifeTests {
    @Test func `one that never answers is ended by cancellation`() async throws {
        let scene = ClientScene { _ in challenge }
        let isAsked = Flag()
        let delegate = AnsweringDelegate(challenged: { _ in
            isAsked.raise()
            await neverAnswer()
            return nil
        })
        let calling = Task { try await scene.client.data(from: testURL, delegate: delegate) }
        await isAsked.wait()
        calling.cancel()
        let error = await calling.result.clientError
        #expect(error?.isCancellation == true)
        #expect(error?.context.phase == .authenticate)
    }

    @Test func `one that never answers is ended by the call's limit of time`() async throws {
        let scene = ClientScene { _ in challenge }
        let isAsked = Flag()
        let delegate = AnsweringDelegate(challenged: { _ in
            isAsked.raise()
            await neverAnswer()
            return nil
        })
        let request = Request(url: testURL).timeout(.seconds(5))
        let calling = Task { try await scene.client.data(for: request, delegate: delegate) }
        await isAsked.wait()
        let error = await scene.clock.advance(until: calling).clientError
        guard case .timedOut(.call, .seconds(5), _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `its method is cancelled with the call, and it is let go when that returns`() async throws {
        let scene = ClientScene { _ in challenge }
        let isAsked = Flag()
        let wasCancelled = Flag()
        let completions = Flag()
        weak var released: AnsweringDelegate?
        let calling: Task<(Data, Response), any Error>
        do {
            let delegate = AnsweringDelegate(
                challenged: { _ in
                    isAsked.raise()
                    try? await Task.sleep(for: .seconds(3600))
                    if Task.isCancelled { wasCancelled.raise() }
                    return nil
                },
                completed: { error in
                    #expect(error?.isCancellation == true)
                    completions.raise()
                }
            )
            released = delegate
            calling = Task { try await scene.client.data(from: testURL, delegate: delegate) }
        }
        await isAsked.wait()
        calling.cancel()
        #expect(await calling.result.clientError?.isCancellation == true)
        try await eventually("nothing holds the delegate") { released == nil }
        #expect(wasCancelled.count == 1)
        #expect(completions.count == 1)
    }

    @Test func `completion comes once and last, before the call returns`() async throws {
        let scene = ClientScene { _ in .chunked(["one", "two"]) }
        let delegate = RecordingDelegate()
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(delegate.events.suffix(2) == [.collectedMetrics, .completed(hasFailed: false)])
        let (location, _) = try await scene.client.download(from: testURL, delegate: delegate)
        try FileManager.default.removeItem(at: location)
        #expect(delegate.events.filter { $0 == .completed(hasFailed: false) }.count == 2)
    }

    @Test func `a call that is refused before anything is sent completes, too`() async throws {
        let scene = ClientScene { _ in .response() }
        let delegate = RecordingDelegate()
        _ = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, "ftp://test/"), delegate: delegate)
        }
        #expect(delegate.events == [.collectedMetrics, .completed(hasFailed: true)])
    }

    @Test func `a body that is read byte by byte completes at its end`() async throws {
        let scene = ClientScene { _ in .chunked(["one", "two"]) }
        let delegate = RecordingDelegate()
        let (bytes, _) = try await scene.client.bytes(from: testURL, delegate: delegate)
        #expect(!delegate.events.contains(.completed(hasFailed: false)))
        var text: [UInt8] = []
        for try await byte in bytes { text.append(byte) }
        #expect(text == Array("onetwo".utf8))
        #expect(delegate.events.last == .completed(hasFailed: false))
    }

    @Test func `a body that is left completes as cancelled, and lets go`() async throws {
        let scene = ClientScene { _ in halfResponse }
        let completions = Flag()
        weak var released: AnsweringDelegate?
        do {
            let delegate = AnsweringDelegate(completed: { error in
                #expect(error?.isCancellation == true)
                completions.raise()
            })
            released = delegate
            let (bytes, _) = try await scene.client.bytes(from: testURL, delegate: delegate)
            for try await _ in bytes { break }
        }
        try await eventually("nothing holds the delegate") { released == nil }
        #expect(completions.count == 1)
    }

    @Test func `waiting for a connection is told`() async throws {
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = ClientScene(plan: .oneStream, configuration) { _ in halfResponse }
        let first = try await scene.client.bytes(from: testURL)
        let delegate = RecordingDelegate()
        let calling = Task { try await scene.client.data(from: testURL, delegate: delegate) }
        try await delegate.waitForEvents(1)
        #expect(delegate.events == [.waiting])
        calling.cancel()
        _ = await calling.result
        withExtendedLifetime(first) {}
    }

    @Test func `metrics tell every exchange`() async throws {
        let scene = ClientScene { request in
            request.target == "/" ? .response(.found, fields: [.location: "/there"]) : .response(body: "x")
        }
        let metrics = Mutex<TaskMetrics?>(nil)
        final class Collector: TaskDelegate {
            let collect: @Sendable (TaskMetrics) -> Void
            init(_ collect: @escaping @Sendable (TaskMetrics) -> Void) { self.collect = collect }
            func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) {
                #expect(task.attempt == 2)
                #expect(task.originalRequest.url.path == "/")
                #expect(task.currentRequest.url.path == "/there")
                self.collect(metrics)
            }
        }
        let delegate = Collector { collected in metrics.withLock { $0 = collected } }
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        let collected = try #require(metrics.withLock { $0 })
        #expect(collected.isComplete)
        #expect(collected.transactions.map(\.statusCode) == [302, 200])
        #expect(collected.transactions.map(\.reason) == [.initial, .redirect])
        #expect(collected.transactions.map(\.isConnectionReused) == [false, true])
        #expect(collected.transactions[0].connecting != nil)
        #expect(collected.transactions[1].connecting == nil)
        #expect(collected.redirectCount == 1)
    }
}

extension Result where Failure == any Error {
    /// The error of the result, if it is a `ClientError`.
    var clientError: ClientError? {
        if case .failure(let error) = self { error as? ClientError } else { nil }
    }
}
