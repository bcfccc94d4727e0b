// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Tern
import TernTesting
import TestSupport
import Testing

/// A server that answers 401 to all requests without Albert's Basic credential, and sends a body in two chunks to the
/// others.
private let guarded: ScriptedServer.Answer = { request in
    guard request.fields[.authorization] == "Basic YWxiZXJ0OmVpbnN0ZWlu" else {
        return .response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="birds""#])
    }
    return .chunked(["one", "two"])
}

/// An app's model that implements all delegate methods on the main actor, without a lock.
@MainActor
private final class Model: TaskDelegate, Interceptor, CredentialStore {
    private(set) var requestCount = 0
    private(set) var challengeCount = 0
    private(set) var lookUpCount = 0
    private(set) var receivedByteCount: Int64 = 0
    private(set) var outcomes: [Bool] = []

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        MainActor.assertIsolated()
        self.requestCount += 1
        return try await next.respond(to: call)
    }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        MainActor.assertIsolated()
        self.challengeCount += 1
        return .useCredential(Credential(user: "albert", password: "einstein"))
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        MainActor.assertIsolated()
        self.receivedByteCount = progress.byteCount
    }

    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) {
        MainActor.assertIsolated()
        self.outcomes.append(error == nil)
    }

    func credential(for space: ProtectionSpace) -> Credential? {
        self.lookUpCount += 1
        return nil
    }

    func store(_ credential: Credential, for space: ProtectionSpace) {}
    func remove(for space: ProtectionSpace) {}
}

/// A delegate that suspends within each method, and records whether another method began meanwhile.
private actor Sluggish: TaskDelegate {
    private(set) var overlapCount = 0
    private(set) var callCount = 0
    private var isBusy = false

    private func work() async {
        if self.isBusy { self.overlapCount += 1 }
        self.isBusy = true
        self.callCount += 1
        for _ in 0..<20 { await Task.yield() }
        self.isBusy = false
    }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        await self.work()
        return .useCredential(Credential(user: "albert", password: "einstein"))
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) async { await self.work() }
    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) async { await self.work() }
    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) async { await self.work() }
}

/// A delegate of which one method never returns.
private final class Stuck: TaskDelegate {
    let isStuck = Flag()

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) async {
        self.isStuck.raise()
        await neverAnswer()
    }
}

@Suite("Delegates: actors", .hangLimit)
struct IsolationTests {
    @Test @MainActor func `a class of the main actor is asked and told there`() async throws {
        let model = Model()
        var configuration = Client.Configuration()
        configuration.callInterceptors = [model]
        configuration.credentialStore = model
        let scene = ClientScene(configuration, answer: guarded)
        let (data, response) = try await scene.client.data(from: testURL, delegate: model)
        #expect(response.isSuccess)
        #expect(String(decoding: data, as: UTF8.self) == "onetwo")
        #expect(model.requestCount == 1)
        #expect(model.challengeCount == 1)
        #expect(model.lookUpCount >= 1)
        #expect(model.receivedByteCount == 6)
        #expect(model.outcomes == [true])
    }

    @Test func `methods that suspend do not overlap`() async throws {
        let scene = ClientScene(answer: guarded)
        let delegate = Sluggish()
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(await delegate.overlapCount == 0)
        #expect(await delegate.callCount >= 4)
    }

    @Test func `a method that never returns does not hold a cancelled call`() async throws {
        let scene = ClientScene { _ in halfResponse }
        let delegate = Stuck()
        let calling = Task { try await scene.client.data(from: testURL, delegate: delegate) }
        await delegate.isStuck.wait()
        calling.cancel()
        #expect(await calling.result.clientError?.isCancellation == true)
    }

    @Test func `a method that never returns does not hold a call past its limit of time`() async throws {
        let scene = ClientScene { _ in halfResponse }
        let delegate = Stuck()
        let request = Request(url: testURL).timeout(.seconds(5))
        let calling = Task { try await scene.client.data(for: request, delegate: delegate) }
        await delegate.isStuck.wait()
        #expect(await scene.clock.advance(until: calling).clientError?.isTimeout == true)
    }

    @Test func `a call that succeeded waits for its delegate until the limit of time, and succeeds`() async throws {
        let scene = ClientScene { _ in .response(body: "whole") }
        let delegate = Stuck()
        let request = Request(url: testURL).timeout(.seconds(5))
        let calling = Task { try await scene.client.data(for: request, delegate: delegate) }
        await delegate.isStuck.wait()
        let (data, _) = try await scene.clock.advance(until: calling).get()
        #expect(String(decoding: data, as: UTF8.self) == "whole")
    }

    @Test func `a call that succeeded returns at once when it is cancelled while its delegate is busy`() async throws {
        let scene = ClientScene { _ in .response(body: "whole") }
        let delegate = Stuck()
        let calling = Task { try await scene.client.data(from: testURL, delegate: delegate) }
        await delegate.isStuck.wait()
        calling.cancel()
        let result = await calling.result
        #expect(result.clientError.map(\.isCancellation) ?? true)
    }
}

// MARK: Values

/// A type that can be decoded only on the main actor.
private struct Bound: @MainActor Decodable, Sendable {
    let name: String
    @MainActor static var decodedCount = 0

    private enum Key: CodingKey { case name }

    @MainActor init(from decoder: any Decoder) throws {
        MainActor.assertIsolated()
        self.name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
        Self.decodedCount += 1
    }
}

/// A type that records whether it was decoded on the main thread.
private struct Free: Decodable {
    let isOnMain: Bool

    init(from decoder: any Decoder) throws { self.isOnMain = isOnMainThread() }
}

private func isOnMainThread() -> Bool { Thread.isMainThread }

@Suite("Values: actors", .hangLimit)
struct ValueIsolationTests {
    @Test @MainActor func `a type that belongs to the main actor is decoded there`() async throws {
        let scene = ClientScene { _ in .response(body: #"{"name":"tern"}"#) }
        let value: Bound = try await scene.client.value(from: testURL)
        #expect(value.name == "tern")
        #expect(Bound.decodedCount == 1)
    }

    @Test @MainActor func `another type is decoded off the caller's actor`() async throws {
        let scene = ClientScene { _ in .response(body: "{}") }
        let value: Free = try await scene.client.value(from: testURL)
        #expect(!value.isOnMain)
    }
}
