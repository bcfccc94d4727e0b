// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

private struct NoToken: Error {}

@Suite("Bearer tokens", .hangLimit)
struct BearerTests {
    private static let origin = Origin(scheme: .http, host: "test")

    /// A server that accepts only the token `new`.
    private static let guarded: ScriptedServer.Answer = { request in
        request.fields[.authorization] == "Bearer new"
            ? .response(body: "welcome")
            : .response(.unauthorized, fields: [.wwwAuthenticate: #"Bearer error="invalid_token""#])
    }

    private func scene(
        token: String? = "old",
        _ refresh: @escaping @Sendable (_ old: String?) async throws -> String
    ) -> ClientScene {
        var configuration = Client.Configuration()
        configuration.bearer = [
            BearerAuthentication(for: [Self.origin], token: token.map { .init($0) }) { .init(try await refresh($0)) }
        ]
        return ClientScene(configuration, answer: Self.guarded)
    }

    /// A request with a time limit, for which each waiting call schedules one timer.
    private static let limited = Request(url: testURL).timeout(.seconds(77))

    /// Waits until a number of calls wait for a token, and the server has received the requests before that.
    private func waitForWaiting(_ count: Int, _ scene: ClientScene, requestCount: Int) async throws {
        try await eventually("\(count) calls wait for a token") {
            scene.server.requests.count == requestCount
                && scene.clock.scheduledDelays.count { $0 == .seconds(77) } >= count
        }
    }

    @Test(arguments: ["old", nil])
    func `a hundred calls at once cause one refresh`(_ token: String?) async throws {
        let refreshes = Flag()
        let everybodyWaits = Flag()
        let scene = self.scene(token: token) { refused in
            #expect(refused == token)
            refreshes.raise()
            await everybodyWaits.wait()
            return "new"
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await scene.client.data(for: Self.limited).1.statusCode } }
            try await self.waitForWaiting(100, scene, requestCount: token == nil ? 0 : 100)
            everybodyWaits.raise()
            for try await status in group { #expect(status == 200) }
        }
        #expect(refreshes.count == 1)
    }

    @Test func `a hundred calls at once share one failure, and the next call tries again`() async throws {
        let refreshes = Flag()
        let everybodyWaits = Flag()
        let scene = self.scene(token: nil) { _ in
            refreshes.raise()
            await everybodyWaits.wait()
            throw NoToken()
        }
        let failures = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let error = await failure { () async throws(ClientError) in
                        try await scene.client.data(for: Self.limited)
                    }
                    if case .interceptorFailed(is NoToken, _)? = error { failures.raise() }
                }
            }
            try await self.waitForWaiting(100, scene, requestCount: 0)
            everybodyWaits.raise()
            try await group.waitForAll()
        }
        #expect(failures.count == 100)
        #expect(refreshes.count == 1)
        _ = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        #expect(refreshes.count == 2)
    }

    @Test func `the error of a refresh reaches the caller, and only the text of a ClientError is shown`() async throws {
        struct Leak: LocalizedError, CustomStringConvertible {
            var errorDescription: String? { "The token s3cret is old." }
            var description: String { "s3cret" }
        }
        let offline = ClientError.connectionFailed(
            .noNetwork,
            ClientError.Context(phase: .connect, origin: "https://sign.in:443")
        )
        for thrown in [Leak(), offline] as [any Error] {
            let scene = self.scene(token: nil) { _ in throw thrown }
            let error = try #require(
                await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
            )
            guard case .interceptorFailed(let inner, let context) = error else {
                Issue.record("\(error)")
                continue
            }
            let isClientError = inner is ClientError
            #expect(context.phase == .authenticate && context.origin == "http://test:80")
            #expect(!"\(error) \(error.errorDescription ?? "")".contains("s3cret"))
            #expect(
                "\(error)".contains("token provider") && "\(error)".contains("https://sign.in:443") == isClientError
            )
            #expect(error.errorDescription?.contains("sign.in") == isClientError)
            #expect(error.isOffline == isClientError && error.isRetryable == isClientError)
            #expect(scene.server.requests.isEmpty)
        }
    }

    @Test func `what the refresh itself asks goes without a token and does not wait for one`() async throws {
        let client = Mutex<Client?>(nil)
        let scene = self.scene { _ in
            guard let client = client.withLock({ $0 }) else { throw NoToken() }
            let (_, response) = try await client.data(for: Request(.get, "http://test/token"))
            #expect(response.statusCode == 401)
            return "new"
        }
        client.withLock { $0 = scene.client }
        #expect(try await scene.client.data(from: testURL).1.isSuccess)
        #expect(scene.server.requests.first { $0.target == "/token" }?.fields[.authorization] == nil)
        client.withLock { $0 = nil }
    }

    @Test func `a token that is refused again is not refreshed for ever`() async throws {
        let refreshes = Flag()
        let scene = self.scene { _ in
            refreshes.raise()
            return "wrong\(refreshes.count)"
        }
        #expect(try await scene.client.data(from: testURL).1.statusCode == 401)
        #expect(refreshes.count == 1)
    }

    @Test func `no other origin sees the token, a redirect's neither`() async throws {
        let scene = self.scene(token: "new") { _ in throw NoToken() }
        #expect(try await scene.client.data(for: Request(.get, "http://other/")).1.statusCode == 401)
        #expect(try await scene.client.data(for: Request(.get, "https://test/")).1.statusCode == 401)
        #expect(scene.server.requests.allSatisfy { $0.fields[.authorization] == nil })
    }

    @Test func `when nobody waits any more the refresh is cancelled`() async throws {
        let isRefreshing = Flag()
        let wasCancelled = Flag()
        let scene = self.scene(token: nil) { _ in
            isRefreshing.raise()
            try? await Task.sleep(for: .seconds(3600))
            if Task.isCancelled { wasCancelled.raise() }
            throw NoToken()
        }
        let calls = (0..<3).map { _ in Task { try await scene.client.data(for: Self.limited) } }
        await isRefreshing.wait()
        // If the first call were the only one that waits, its end would cancel the refresh.
        try await self.waitForWaiting(3, scene, requestCount: 0)
        calls[0].cancel()
        _ = await calls[0].result
        #expect(!wasCancelled.isRaised)
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        await wasCancelled.wait()
    }

    @Test func `the last stage signs what is sent`() async throws {
        struct Signer: RequestSigner {
            func fields(signing request: SignableRequest) async throws -> HTTPFields {
                guard request.target != "/refuse" else { throw NoToken() }
                #expect(request.host == "test")
                #expect(request.fields[.accept] == "*/*")
                return [.authorization: "Signed \(request.method) \(request.target) \(request.origin)"]
            }
        }
        var configuration = Client.Configuration()
        configuration.signer = Signer()
        let scene = ClientScene(configuration) { .response(body: $0.fields[.authorization] ?? "") }
        let (data, _) = try await scene.client.data(for: Request(.get, "http://test/x?y"))
        #expect(String(decoding: data, as: UTF8.self) == "Signed GET /x?y http://test:80")
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, "http://test/refuse"))
        }
        guard case .interceptorFailed(is NoToken, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.phase == .authenticate)
    }

    @Test func `all fields of one name that a signer returns are sent, in place of others`() async throws {
        struct Signer: RequestSigner {
            func fields(signing request: SignableRequest) async throws -> HTTPFields {
                var fields = HTTPFields()
                fields[values: .acceptLanguage] = ["a", "b"]
                return fields
            }
        }
        var configuration = Client.Configuration()
        configuration.signer = Signer()
        let scene = ClientScene(configuration) { _ in .response() }
        _ = try await scene.client.data(for: Request(url: testURL).header(.acceptLanguage, "c"))
        #expect(scene.server.requests.first?.fields[values: .acceptLanguage] == ["a", "b"])
    }

    /// Signs requests to its own origins or, by default, requests to the origin of the first request.
    private struct OriginSigner: RequestSigner {
        var origins: Set<Origin>?

        func signsRequests(to origin: Origin, ofCallTo firstOrigin: Origin) -> Bool {
            self.origins?.contains(origin) ?? (origin == firstOrigin)
        }

        func fields(signing request: SignableRequest) async throws -> HTTPFields {
            [.authorization: "Signed for \(request.origin)"]
        }
    }

    private struct DefaultSigner: RequestSigner {
        func fields(signing request: SignableRequest) async throws -> HTTPFields {
            [.authorization: "Signed for \(request.origin)"]
        }
    }

    /// Returns a client whose server redirects from `test` to `other` and back, and finally answers with the signature.
    private static func leading(_ signer: any RequestSigner, retry: RetryPolicy? = nil) -> ClientScene {
        var configuration = Client.Configuration()
        configuration.signer = signer
        configuration.retry = retry
        return ClientScene(configuration) { request in
            switch (request.hosts.first ?? "", request.target) {
            case ("test", "/"): .response(.found, fields: [.location: "http://other/"])
            case ("test", "/round"): .response(.temporaryRedirect, fields: [.location: "http://other/back"])
            case ("other", "/back"): .response(.temporaryRedirect, fields: [.location: "http://test/end"])
            default: .response(body: request.fields[.authorization] ?? "unsigned")
            }
        }
    }

    @Test func `a signer does not sign for an origin that a redirect names`() async throws {
        let scene = Self.leading(DefaultSigner())
        #expect(try await scene.client.data(for: Request(.get, "http://test/")).0 == Data("unsigned".utf8))
        #expect(scene.server.requests.map { $0.fields[.authorization] } == ["Signed for http://test:80", nil])
    }

    @Test func `each call has a first origin of its own, to which redirects may lead back`() async throws {
        let scene = Self.leading(DefaultSigner())
        let data = try await scene.client.data(for: Request(.get, "http://other/back")).0
        #expect(data == Data("unsigned".utf8))
        let round = try await scene.client.data(for: Request(.get, "http://test/round")).0
        #expect(round == Data("Signed for http://test:80".utf8))
        #expect(scene.server.requests.suffix(2).first?.fields[.authorization] == nil)
        let same = try await scene.client.data(for: Request(.get, "http://other/")).0
        #expect(same == Data("Signed for http://other:80".utf8))
    }

    @Test func `a signer says for which origins it signs`() async throws {
        let both: Set = [Origin(scheme: .http, host: "test"), Origin(scheme: .http, host: "other")]
        let scene = Self.leading(OriginSigner(origins: both))
        #expect(
            try await scene.client.data(for: Request(.get, "http://test/")).0 == Data("Signed for http://other:80".utf8)
        )
        let none = Self.leading(OriginSigner(origins: []))
        _ = try await none.client.data(for: Request(.get, "http://test/"))
        #expect(none.server.requests.allSatisfy { $0.fields[.authorization] == nil })
    }
}
