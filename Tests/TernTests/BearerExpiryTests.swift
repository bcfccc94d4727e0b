// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernConnections
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests tokens that the client replaces because of their expiry, before a server refuses them.
@Suite("Bearer tokens that expire", .hangLimit)
struct BearerExpiryTests {
    private static let origin = Origin(scheme: .http, host: "test")
    /// The date of a `ManualClock` at the beginning of a test, in seconds since 1970.
    private static let start = ManualClock().date.secondsSince1970

    private struct NoToken: Error {}

    /// Gives tokens with the values `new1`, `new2` and so on, and records which tokens they replace.
    private final class Source: Sendable {
        private let replaced = Observed([String?]())
        /// The time of a token's life, in seconds, from the time of the refresh; `nil` for tokens without an expiry.
        private let life: Int64?
        private let clock = Mutex<(any TransportClock)?>(nil)

        var replacedTokens: [String?] { self.replaced.value }

        init(life: Int64? = 3600) { self.life = life }

        func use(_ clock: any TransportClock) { self.clock.withLock { $0 = clock } }

        func next(after old: String?) -> BearerAuthentication.Token {
            self.replaced.update { $0.append(old) }
            let now = self.clock.withLock { $0 }?.date.secondsSince1970 ?? BearerExpiryTests.start
            let expiry = self.life.map { Date(timeIntervalSince1970: TimeInterval(now + $0)) }
            return .init("new\(self.replaced.value.count)", expires: expiry)
        }
    }

    /// Returns a token that expires some seconds after the beginning of the test.
    private static func token(_ value: String, _ seconds: Double) -> BearerAuthentication.Token {
        .init(value, expires: Date(timeIntervalSince1970: TimeInterval(Self.start) + seconds))
    }

    private static func configuration(
        _ token: BearerAuthentication.Token?,
        _ source: Source
    ) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.bearer = [
            BearerAuthentication(for: [Self.origin], token: token) { source.next(after: $0) }
        ]
        return configuration
    }

    /// Returns a client whose server accepts each token, unless it is in `refused`.
    private static func scene(
        _ token: BearerAuthentication.Token?,
        _ source: Source,
        refusing refused: Set<String> = []
    ) -> ClientScene {
        let scene = ClientScene(Self.configuration(token, source)) { request in
            let value = String(request.fields[.authorization]?.dropFirst("Bearer ".count) ?? "")
            return refused.contains(value) || value.isEmpty ? .response(.unauthorized) : .response(body: value)
        }
        source.use(scene.clock)
        return scene
    }

    /// Returns the token that the server received with a GET.
    private static func sentToken(_ scene: ClientScene) async throws -> String {
        String(decoding: try await scene.client.data(from: testURL).0, as: UTF8.self)
    }

    /// Returns a POST whose body can be read only once.
    private static func upload() -> Request {
        let stream = AsyncStream { continuation in
            continuation.yield(Array("con".utf8))
            continuation.yield(Array("tent".utf8))
            continuation.finish()
        }
        return Request(.post, "http://test/").body(stream: stream, length: 7)
    }

    // MARK: Before the request

    @Test func `an upload of a stream does not fail with a token that has expired`() async throws {
        let source = Source()
        let scene = Self.scene(Self.token("old", -1), source, refusing: ["old"])
        let (data, response) = try await scene.client.data(for: Self.upload())
        #expect(response.statusCode == 200 && data == Data("new1".utf8))
        #expect(scene.server.requests.map(\.text) == ["content"])
        #expect(source.replacedTokens == ["old"])
    }

    /// The difference that the expiry makes.
    @Test func `an upload of a stream fails after a 401, because its body is gone`() async throws {
        let source = Source()
        let scene = Self.scene(.init("old"), source, refusing: ["old"])
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: Self.upload()) }
        guard case .uploadFailed(.notReplayable, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.server.requests.count == 1)
    }

    @Test(
        arguments: [
            (29, "new1"), (30, "new1"), (30.9, "new1"), (31, "old"), (3600, "old"), (1e300, "old"),
        ] as [(Double, String)]
    )
    func `a token that expires within 30 seconds is replaced`(_ seconds: Double, _ sent: String) async throws {
        let source = Source()
        let scene = Self.scene(Self.token("old", seconds), source)
        #expect(try await Self.sentToken(scene) == sent)
        #expect(scene.server.requests.count == 1)
        #expect(source.replacedTokens.count == (sent == "old" ? 0 : 1))
    }

    @Test(arguments: [-1e300, -.infinity, .infinity, .nan] as [Double])
    func `no date ends the program`(_ seconds: Double) async throws {
        let source = Source()
        let scene = Self.scene(Self.token("old", seconds), source)
        #expect(try await Self.sentToken(scene) == (seconds < 0 ? "new1" : "old"))
    }

    @Test func `a token that expires in between is replaced before the next request`() async throws {
        let source = Source()
        let scene = Self.scene(nil, source)
        #expect(try await Self.sentToken(scene) == "new1")
        scene.clock.advance(by: .seconds(3569))
        #expect(try await Self.sentToken(scene) == "new1")
        scene.clock.advance(by: .seconds(1))
        #expect(try await Self.sentToken(scene) == "new2")
        #expect(source.replacedTokens == [nil, "new1"])
        #expect(scene.server.requests.count == 3)
    }

    @Test func `a token without an expiry is not replaced before a 401`() async throws {
        let source = Source(life: nil)
        let scene = Self.scene(.init("old"), source)
        scene.clock.advance(by: .seconds(1_000_000))
        #expect(try await Self.sentToken(scene) == "old")
        #expect(source.replacedTokens == [])
    }

    @Test func `a retry sends a new token if the first one expires while the call waits`() async throws {
        let source = Source()
        var configuration = Self.configuration(Self.token("old", 35), source)
        configuration.retry = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        let scene = ClientScene(configuration) { request in
            guard request.number == 1 else { return .response(body: request.fields[.authorization] ?? "") }
            return .response(.serviceUnavailable, fields: [.retryAfter: "20"])
        }
        source.use(scene.clock)
        async let data = scene.client.data(from: testURL).0
        try await scene.clock.waitForScheduled(in: .seconds(20))
        scene.clock.advance(by: .seconds(20))
        #expect(try await data == Data("Bearer new1".utf8))
        #expect(scene.server.requests.first?.fields[.authorization] == "Bearer old")
    }

    // MARK: One refresh

    @Test func `a hundred calls with an expired token share one refresh`() async throws {
        let refreshes = Flag()
        let everybodyWaits = Flag()
        var configuration = Client.Configuration()
        let token = Self.token("old", 10)
        configuration.bearer = [
            BearerAuthentication(for: [Self.origin], token: token) { old in
                #expect(old == "old")
                refreshes.raise()
                await everybodyWaits.wait()
                return Self.token("new", 3600)
            }
        ]
        let scene = ClientScene(configuration) { .response(body: $0.fields[.authorization] ?? "") }
        let limited = Request(url: testURL).timeout(.seconds(77))
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<100 { group.addTask { try await scene.client.data(for: limited).0 } }
            try await eventually("100 calls wait for a token") {
                scene.clock.scheduledDelays.count { $0 == .seconds(77) } >= 100
            }
            #expect(scene.server.requests.isEmpty)
            everybodyWaits.raise()
            for try await data in group { #expect(data == Data("Bearer new".utf8)) }
        }
        #expect(refreshes.count == 1)
        #expect(scene.server.requests.count == 100)
    }

    @Test func `the failure of the refresh ends the call before anything is sent`() async throws {
        var configuration = Client.Configuration()
        configuration.bearer = [
            BearerAuthentication(for: [Self.origin], token: Self.token("old", 0)) { _ in throw NoToken() }
        ]
        let scene = ClientScene(configuration) { _ in .response() }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: Self.upload()) }
        guard case .interceptorFailed(is NoToken, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.server.requests.isEmpty)
    }

    // MARK: Tokens that are old when they come

    @Test(arguments: [0, -1, -100_000] as [Int64])
    func `a refresh that gives an expired token again does not loop`(_ life: Int64) async throws {
        let source = Source(life: life)
        let scene = Self.scene(Self.token("old", -1), source)
        for _ in 0..<3 {
            #expect(try await Self.sentToken(scene) == "new1")
            scene.clock.advance(by: .seconds(60))
        }
        #expect(source.replacedTokens == ["old"])
        #expect(scene.server.requests.count == 3)
    }

    @Test func `a server that refuses such a token gets one more, and its 401 is then the result`() async throws {
        let source = Source(life: -1)
        let scene = Self.scene(Self.token("old", -1), source, refusing: ["new1", "new2"])
        #expect(try await scene.client.data(from: testURL).1.statusCode == 401)
        #expect(source.replacedTokens == ["old", "new1"])
        #expect(scene.server.requests.count == 2)
    }

    @Test func `a token that lives for less than a minute is sent for half of its life`() async throws {
        let source = Source(life: 20)
        let scene = Self.scene(nil, source)
        #expect(try await Self.sentToken(scene) == "new1")
        scene.clock.advance(by: .seconds(9))
        #expect(try await Self.sentToken(scene) == "new1")
        scene.clock.advance(by: .seconds(1))
        #expect(try await Self.sentToken(scene) == "new2")
    }

    // MARK: Dates that are set

    /// A manual clock whose date a test sets back.
    private struct SetClock: TransportClock {
        let base = ManualClock()
        let shift = Observed(Int64(0))

        var now: ClockInstant { self.base.now }

        var date: HTTPDate { HTTPDate(secondsSince1970: self.base.date.secondsSince1970 + self.shift.value) }

        func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
            self.base.schedule(at: instant, action)
        }
    }

    @Test(arguments: [-3600, -1_000_000] as [Int64])
    func `a token expires in time although the date was set back`(_ shift: Int64) async throws {
        let (clock, source) = (SetClock(), Source())
        source.use(clock)
        let server = ScriptedServer { .response(body: $0.fields[.authorization] ?? "") }
        let client = Client(
            configuration: Self.configuration(nil, source).tested,
            connector: MemoryConnector.tested(server, clock: clock.base),
            clock: clock
        )
        #expect(try await client.data(from: testURL).0 == Data("Bearer new1".utf8))
        clock.shift.update { $0 = shift }
        clock.base.advance(by: .seconds(3569))
        #expect(try await client.data(from: testURL).0 == Data("Bearer new1".utf8))
        clock.base.advance(by: .seconds(1))
        #expect(try await client.data(from: testURL).0 == Data("Bearer new2".utf8))
    }

    // MARK: Descriptions

    @Test func `no description shows a token`() {
        let token = Self.token("s3cret", 3600)
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!"\(token) \(String(reflecting: token)) \(dumped)".contains("s3cret"))
        #expect(token == Self.token("s3cret", 3600) && token != Self.token("s3cret", 3601))
    }
}
