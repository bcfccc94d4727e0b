// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

private let albert = Credential(user: "albert", password: "einstein")

/// A credential store whose methods never return.
private struct SilentStore: CredentialStore {
    let asked = Flag()

    func credential(for space: ProtectionSpace) async -> Credential? {
        self.asked.raise()
        await neverAnswer()
        return nil
    }

    func store(_ credential: Credential, for space: ProtectionSpace) async {}
    func remove(for space: ProtectionSpace) async {}
}

@Suite("Credentials: their servers", .hangLimit)
struct CredentialTests {
    private static let guarded: ScriptedServer.Answer = { request in
        request.fields[.authorization] == nil
            ? .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"])
            : .response(body: request.fields[.authorization] ?? "")
    }

    private func status(_ client: Client, _ request: Request) async throws -> Int {
        try await client.data(for: request).1.statusCode
    }

    @Test func `what a request brings is for requests that bring the same`() async throws {
        let scene = ClientScene(answer: Self.guarded)
        let request = Request(.get, "http://test/")
        #expect(try await self.status(scene.client, request.credential(albert)) == 200)
        #expect(try await self.status(scene.client, request.credential(albert)) == 200)
        #expect(scene.server.requests.count == 3)
        #expect(try await self.status(scene.client, request) == 401)
        #expect(try await self.status(scene.client, Request(.get, "http://berta:x@test/")) == 200)
        #expect(try await self.status(scene.client, request) == 401)
    }

    @Test func `a scheme that is excluded is not used unasked either`() async throws {
        let scene = ClientScene(answer: Self.guarded)
        let request = Request(.get, "http://test/")
        #expect(try await self.status(scene.client, request.credential(albert)) == 200)
        let digestOnly = request.credential(albert, schemes: [.digest])
        #expect(try await self.status(scene.client, digestOnly) == 401)
        let atOnce = request.credential(albert, schemes: [.digest], isPreemptive: true)
        #expect(try await self.status(scene.client, atOnce) == 401)
        #expect(scene.server.requests.suffix(2).allSatisfy { $0.fields[.authorization] == nil })
    }

    @Test func `a socket shares no credentials with the host whose name its requests bear`() async throws {
        let scene = ClientScene(answer: Self.guarded)
        let delegate = AnsweringDelegate(challenged: { _ in .useCredential(albert) })
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(try await self.status(scene.client, Request(url: testURL)) == 200)
        #expect(try await self.status(scene.client, Request(url: testURL).unixSocket(path: "/run/x")) == 401)
        let socket = Request(url: testURL).unixSocket(path: "/run/y")
        _ = try await scene.client.data(for: socket, delegate: delegate)
        #expect(try await self.status(scene.client, socket) == 401)
    }

    @Test func `a 401 whose body is late holds no connection that the answer needs`() async throws {
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = ClientScene(configuration) { request in
            guard request.fields[.authorization] == nil else { return .response(body: "welcome") }
            let head = "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 9\r\n\r\nhalf"
            return .raw(head, ending: .stall)
        }
        let request = Request(url: testURL).credential(albert)
        #expect(try await self.status(scene.client, request) == 200)
    }

    @Test func `a stale nonce that another call has renewed is no refusal`() async throws {
        let count = Flag()
        let scene = ClientScene { request in
            let fields: (String) -> HTTPFields = {
                [.wwwAuthenticate: #"Digest realm="x", qop="auth", nonce="n1"\#($0)"#]
            }
            guard request.fields[.authorization] != nil else { return .response(.unauthorized, fields: fields("")) }
            count.raise()
            // The server says that its newest nonce is stale, as if another call had overtaken this one.
            return count.count == 2 ? .response(.unauthorized, fields: fields(", stale=true")) : .response(body: "x")
        }
        let delegate = RecordingDelegate { _ in .useCredential(albert) }
        for _ in 0..<2 { #expect(try await scene.client.data(from: testURL, delegate: delegate).1.statusCode == 200) }
        #expect(delegate.events.filter { $0 == .challenged(.digest) }.count == 1)
    }

    @Test func `a store that never answers is ended by the call's limit of time, and by cancellation`() async throws {
        var configuration = Client.Configuration()
        let store = SilentStore()
        configuration.credentialStore = store
        let scene = ClientScene(configuration, answer: Self.guarded)
        let timed = Task { try await scene.client.data(for: Request(url: testURL).timeout(.seconds(5))) }
        await store.asked.wait()
        let result = await scene.clock.advance(until: timed)
        #expect(throws: ClientError.self) { try result.get() }
        let cancelled = Task { try await scene.client.data(from: testURL) }
        await store.asked.wait(for: 2)
        cancelled.cancel()
        guard case .failure(let error) = await cancelled.result, (error as? ClientError)?.isCancellation == true else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test func `a 401 without a challenge refuses the credential that was sent, and the next call asks`() async throws {
        let scene = ClientScene { request in
            guard request.fields[.authorization] != nil else {
                return .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"])
            }
            return request.number == 3 ? .response(.unauthorized) : .response(body: "welcome")
        }
        let delegate = AnsweringDelegate(challenged: { _ in .useCredential(albert) })
        for status in [200, 401, 200] {
            #expect(try await scene.client.data(from: testURL, delegate: delegate).1.statusCode == status)
        }
        let hadCredential = scene.server.requests.map { $0.fields[.authorization] != nil }
        #expect(hadCredential == [false, true, true, false, true])
    }

    @Test func `a credential is not kept where the server said nothing about it`() async throws {
        let scene = ClientScene { request in
            request.fields[.authorization] == nil
                ? .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"])
                : .response(.serviceUnavailable)
        }
        let delegate = AnsweringDelegate(challenged: { _ in .useCredential(albert) })
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(try await self.status(scene.client, Request(url: testURL)) == 401)
    }
}
