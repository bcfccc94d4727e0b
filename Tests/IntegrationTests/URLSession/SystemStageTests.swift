// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting
import TernURLLoading
import TestSupport
import Testing

@testable import TernURLSession

@Suite("URLSession, with the stages of the client", .hangLimit)
struct SystemStageTests {
    private let client = Client.overURLSession()

    // MARK: Challenges

    @Test(arguments: ["/basic", "/digest"])
    func `a delegate answers a challenge`(_ path: String) async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate(.albert)
        let (_, response) = try await self.client.data(for: place.get(path), delegate: delegate)
        #expect(response.status == .ok)
        #expect(delegate.challenges.count == 1)
        #expect(try await place.seen().count == 2)
    }

    @Test(arguments: ["/basic", "/digest"])
    func `a user in the URL answers a challenge, and is sent only then`(_ path: String) async throws {
        let place = try await Recorder()
        let (_, response) = try await self.client.data(for: Request(.get, Account.albert.url(place.url(path))))
        #expect(response.status == .ok)
        let seen = try await place.seen()
        #expect(seen.count == 2)
        #expect(seen.first?.authorization == nil)
    }

    @Test(arguments: ["/basic", "/digest", "/bearer", "/several"])
    func `without a credential, the 401 is the response, with its body`(_ path: String) async throws {
        let place = try await Recorder()
        for method in [HTTPRequest.Method.get, .post] {
            let request = Request(method, place.url(path, ["token": "t", "by": "basic", "bytes": "100000"]))
            let (data, response) = try await self.client.data(for: request)
            #expect(response.status == .unauthorized)
            #expect(data.count == 100_000)
            #expect(response[.wwwAuthenticate] != nil)
        }
    }

    @Test func `a wrong credential gives the 401`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate(challenged: { challenge in
            challenge.previousFailureCount < 3
                ? .useCredential(Account.albert.wrongCredential) : .performDefaultHandling
        })
        let (_, response) = try await self.client.data(for: place.get("/basic"), delegate: delegate)
        #expect(response.status == .unauthorized)
        #expect(delegate.failureCounts == [0, 1, 2, 3])
    }

    @Test func `a token is refreshed`() async throws {
        let place = try await Recorder()
        let origin = try place.get("/bearer").destination().origin
        let client = Client.overURLSession { $0.bearer = [BearerAuthentication(for: [origin]) { _ in .init("new") }] }
        let (_, response) = try await client.data(for: place.get("/bearer", ["token": "new"]))
        #expect(response.status == .ok)
    }

    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is followed by the client`(_ status: Int) async throws {
        let place = try await Recorder()
        let url = place.redirect(status, to: "/tell")
        let (_, response) = try await self.client.data(for: Request(.get, url).header(.authorization, "secret"))
        #expect(response.status == .ok)
        #expect(response.redirects.map(\.statusCode) == [status])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect that the client does not follow is the response, with its body`(_ status: Int) async throws {
        let place = try await Recorder()
        let request = Request(.get, place.redirect(status, to: "/tell")).redirects(.never)
        let (data, response) = try await self.client.data(for: request)
        #expect(response.statusCode == status)
        #expect(String(decoding: data, as: UTF8.self) == "elsewhere")
        #expect(try await place.seen().count == 1)
    }

    @Test func `a redirect without a target is the response, or says that its body is missing`() async throws {
        let server = try await RawServer.shared
        let (data, response) = try await self.client.data(for: server.get("/moved-nowhere-empty"))
        #expect(response.statusCode == 301)
        #expect(data.isEmpty)
        let result = await failure { () async throws(ClientError) in
            let (data, _) = try await self.client.data(for: server.get("/moved-nowhere"))
            #expect(String(decoding: data, as: UTF8.self) == "nowhere")
        }
        guard let result else { return }
        guard case .interceptorFailed(let reason as URLSessionTransportError, let context) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason == .bodyDropped)
        #expect(context.response?.status == .movedPermanently)
    }

    // MARK: The cache and retries

    @Test func `the client's cache answers, and confirms`() async throws {
        let server = try await RawServer.shared
        let client = Client.overURLSession { $0.cache = MemoryCacheStore() }
        let request = server.get("/scenario/tag").query("id", ScenarioServer.makeID())
        for (number, confirmation) in [("0", "no"), ("0", "yes"), ("1", "no")] {
            let (data, response) = try await client.data(for: request)
            #expect(response.status == .ok)
            #expect(String(decoding: data, as: UTF8.self) == number)
            #expect(response["X-Confirmed"] == confirmation)
        }
    }

    @Test func `a broken connection is retried`() async throws {
        let server = try await RawServer()
        let delegate = RecordingDelegate()
        let policy = RetryPolicy(backoff: Backoff(initialDelay: .milliseconds(1)))
        let request = server.get("/close-before-head").retry(policy)
        let fault = await fault { () async throws(ClientError) in
            try await self.client.data(for: request, delegate: delegate)
        }
        #expect(fault == .connectionLost(.closed))
        #expect(delegate.events.contains { if case .retried = $0 { true } else { false } })
    }

    @Test func `events arrive one by one`() async throws {
        let server = try await RawServer.shared
        let (bytes, _) = try await self.client.bytes(for: server.get("/drip"))
        var byteCount = 0
        for try await chunk in bytes.chunks { byteCount += chunk.count }
        #expect(byteCount == 6 * 60)
    }
}
