// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Caching: what is whose", .hangLimit)
struct CacheSafetyTests {
    private static let minute: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]

    @Test func `what a user whom the URL names is told is not told to another`() async throws {
        let scene = CacheScene { number, _ in .response(fields: Self.minute, body: "\(number)") }
        #expect(try await scene.get(Request(.get, "http://anna:x@test/")) == "200 1 network")
        #expect(try await scene.get(Request(.get, "http://bert:y@test/")) == "200 2 network")
        #expect(try await scene.get(Request(.get, "http://anna:z@test/")) == "200 3 network")
        #expect(try await scene.get() == "200 4 network")
        #expect(try await scene.get(Request(.get, "http://anna:x@test/")) == "200 1 cached 0")
    }

    @Test func `content that was kept as it is sent is not given to who wants it decoded, nor the reverse`()
        async throws
    {
        let scene = CacheScene { number, _ in .response(fields: Self.minute, body: "\(number)") }
        let own = Request(url: testURL).header(.acceptEncoding, "gzip")
        #expect(try await scene.get(own) == "200 1 network")
        #expect(try await scene.get() == "200 2 network")
        #expect(try await scene.get(own) == "200 1 cached 0")
        #expect(try await scene.get() == "200 2 cached 0")
    }

    @Test func `what is asked for once more is not answered by the error that was just stored`() async throws {
        let store = MemoryCacheStore()
        var configuration = Client.Configuration()
        configuration.cache = store
        configuration.retry = RetryPolicy(backoff: Backoff(initialDelay: .seconds(1), jitter: .none))
        let count = Mutex(0)
        let scene = ClientScene(configuration) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? .response(.serviceUnavailable, fields: Self.minute, body: "bad")
                : .response(fields: [.cacheControl: "no-store"], body: "good")
        }
        async let result = scene.client.data(from: testURL)
        try await scene.clock.waitForScheduled(in: .seconds(1))
        scene.clock.advance(by: .seconds(1))
        #expect(String(decoding: try await result.0, as: UTF8.self) == "good")
        #expect(try await store.entries(for: CacheKey(testURL)).isEmpty)
    }

    @Test(arguments: [true, false])
    func `what came from a server that only one delegate trusts is for nobody else`(isShared: Bool) async throws {
        let store = MemoryCacheStore()
        let connector = MemoryConnector.tested(
            trust: { ServerTrust(host: $0, chain: [[1, 2, 3]], evaluation: .selfSigned) },
            answer: { _ in .response(fields: Self.minute, body: "x") }
        )
        var configuration = Client.Configuration.patient
        configuration.cache = store
        let delegate = AnsweringDelegate(challenged: { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return nil }
            return .useCredential(Credential(trust: trust))
        })
        let client = Client(
            configuration: configuration.tested,
            delegate: isShared ? delegate : nil,
            connector: connector
        )
        let request = Request(.get, "https://test/")
        _ = try await client.data(for: request, delegate: isShared ? nil : delegate)
        #expect(try await store.entries(for: CacheKey(request.url)).isEmpty)
    }

    @Test(.http1Only("needs a new connection for each call"))
    func `a validation in the background asks the client's delegate whether to trust`() async throws {
        let asked = Flag()
        let clock = ManualClock()
        let server = ScriptedServer { _ in
            .response(
                fields: [.cacheControl: "max-age=60, stale-while-revalidate=30", .connection: "close"],
                body: "x"
            )
        }
        let connector = MemoryConnector.tested(
            server,
            clock: clock,
            trust: { ServerTrust(host: $0, chain: [[1, 2, 3]]) }
        )
        var configuration = Client.Configuration()
        configuration.cache = MemoryCacheStore()
        let delegate = AnsweringDelegate(challenged: { challenge in
            guard case .serverTrust = challenge.kind else { return nil }
            defer { asked.raise() }
            return asked.count == 0 ? nil : .cancel
        })
        let client = Client(configuration: configuration.tested, delegate: delegate, connector: connector, clock: clock)
        let request = Request(.get, "https://test/")
        _ = try await client.data(for: request)
        try await connector.waitForOpen(0)
        clock.advance(by: .seconds(61))
        #expect(try await client.data(for: request).1.cacheStatus == .stale(age: .seconds(61)))
        await asked.wait(for: 2)
        try await connector.waitForOpen(0)
        #expect(server.requests.count == 1)
    }

    @Test func `a 304 that changes Vary changes which requests are answered`() async throws {
        let scene = CacheScene { number, request in
            var fields = Self.minute
            guard request.fields[.ifNoneMatch] != nil else { return .response(fields: fields, body: "\(number)") }
            fields[.vary] = number == 2 ? "Accept-Language" : "*"
            return .response(.notModified, fields: fields)
        }
        let german = Request(url: testURL).header(.acceptLanguage, "de")
        #expect(try await scene.get(german) == "200 1 network")
        scene.advance(61)
        #expect(try await scene.get(german) == "200 1 revalidated 0")
        #expect(try await scene.get(german) == "200 1 cached 0")
        #expect(try await scene.get() == "200 3 network")
        scene.advance(61)
        // The client chooses the response with `Vary`, although the other one is younger (RFC 9111 §4.1).
        #expect(try await scene.get(german) == "200 1 revalidated 0")
        #expect(try await scene.entryCount() == 0)
    }

    @Test func `a 304 that forbids to store is used once`() async throws {
        let scene = CacheScene { number, request in
            request.fields[.ifNoneMatch] == nil
                ? .response(fields: Self.minute, body: "\(number)")
                : .response(.notModified, fields: [.cacheControl: "no-store", .eTag: "\"a\""])
        }
        #expect(try await scene.get() == "200 1 network")
        scene.advance(61)
        #expect(try await scene.get() == "200 1 revalidated 0")
        #expect(try await scene.get() == "200 3 network")
    }

    @Test func `a 304 with no-store leaves a response stored if must-understand overrides it`() async throws {
        let scene = CacheScene { number, request in
            let fields: HTTPFields = [.cacheControl: "must-understand, no-store, max-age=60", .eTag: "\"a\""]
            return request.fields[.ifNoneMatch] == nil
                ? .response(fields: fields, body: "\(number)") : .response(.notModified, fields: fields)
        }
        #expect(try await scene.get() == "200 1 network")
        scene.advance(61)
        #expect(try await scene.get() == "200 1 revalidated 0")
        #expect(try await scene.get() == "200 1 cached 0")
    }

    @Test(arguments: [404, 410])
    func `a reload that finds nothing any more forgets what was stored`(status: Int) async throws {
        let scene = CacheScene { number, _ in
            number == 1
                ? .response(fields: Self.minute, body: "1")
                : .response(HTTPResponse.Status(code: status), fields: [.cacheControl: "no-store"], body: "none")
        }
        #expect(try await scene.get() == "200 1 network")
        #expect(try await scene.get(Request(url: testURL).cache(.reload)) == "\(status) none network")
        #expect(try await scene.entryCount() == 0)
    }

    @Test(arguments: [HangingStore.Method.entries, .makeWriter, .append, .commit, .body, .remove], [true, false])
    func `a store that hangs is left when the call is cancelled`(
        method: HangingStore.Method,
        isWhole: Bool
    ) async throws {
        let store = HangingStore(nil)
        defer { store.release() }
        let scene = CacheScene(store: store) { _, _ in
            isWhole ? .response(fields: Self.minute, body: "x") : .chunked(["x", "y"], fields: Self.minute)
        }
        if method == .body { _ = try await scene.get() }
        store.hang(in: method)
        let client = scene.client
        let request = method == .remove ? Request(.delete, "http://test/") : Request(url: testURL)
        let task = Task { await client.failure(request) }
        await store.waitForHang()
        task.cancel()
        #expect(await task.value?.isCancellation == true)
    }

    @Test func `a store that hangs does not outlast the time of a call`() async throws {
        let store = HangingStore(.append)
        defer { store.release() }
        let scene = CacheScene(store: store) { _, _ in .response(fields: Self.minute, body: "x") }
        let task = Task { try await scene.get(Request(url: testURL).timeout(.seconds(7))) }
        await store.waitForHang()
        scene.advance(7)
        #expect(try await task.value == "200 x network")
    }

    @Test(arguments: [HangingStore.Method.entries, .makeWriter])
    func `a store that hangs before the request goes out uses up the time of a call`(
        method: HangingStore.Method
    ) async throws {
        let store = HangingStore(method)
        defer { store.release() }
        let scene = CacheScene(store: store) { _, _ in
            Issue.record("no time is left for the server")
            return .response(fields: Self.minute, body: "x")
        }
        let client = scene.client
        let late = Task { await client.failure(Request(url: testURL).timeout(.seconds(7))) }
        await store.waitForHang()
        scene.advance(7)
        #expect(await late.value?.isTimeout == true)
    }
}
