// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernCookies
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Cookies", .hangLimit)
struct CookieStageTests {
    private static func configuration(_ store: (any CookieStore)?) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.cookieStore = store
        return configuration
    }

    private static func setting(_ cookies: String..., others: HTTPFields = [:]) -> HTTPFields {
        var fields = others
        for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        return fields
    }

    /// Returns the cookies that the server received in each request.
    private static func received(_ scene: ClientScene) -> [String?] { scene.server.requests.map { $0.fields[.cookie] } }

    @Test func `a client without a store keeps and sends nothing`() async throws {
        let scene = ClientScene { _ in .response(fields: Self.setting("a=1")) }
        for _ in 0..<2 { _ = try await scene.client.data(from: testURL) }
        #expect(Self.received(scene) == [nil, nil])
    }

    /// "If the set-cookie-string contains a […] CTL […]: Abort this algorithm and ignore the set-cookie-string
    /// entirely" (RFC 6265bis §5.6).
    @Test(
        .http1Only("a control character makes a response of HTTP/2 malformed"),
        arguments: ["\u{1}", "\u{7F}", "\r\n \u{1B}"]
    )
    func `a cookie with a control character is ignored, and the response lives`(_ text: String) async throws {
        let store = MemoryCookieStore()
        let scene = ClientScene(Self.configuration(store)) { _ in
            .raw("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\(text)\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nhi")
        }
        for _ in 0..<2 { #expect(try await scene.client.data(from: testURL).0 == Data("hi".utf8)) }
        #expect(Self.received(scene) == [nil, "b=2"])
        #expect(scene.connector.attemptCount == 2)
    }

    @Test func `what a response sets, the next request brings`() async throws {
        let store = MemoryCookieStore()
        let scene = ClientScene(Self.configuration(store)) { request in
            request.target == "/" ? .response(fields: Self.setting("a=1; Path=/", "b=2; Path=/b")) : .response()
        }
        for target in ["", "a", "b"] { _ = try await scene.client.data(for: Request(.get, "http://test/\(target)")) }
        #expect(Self.received(scene) == [nil, "a=1", "b=2; a=1"])
        #expect(store.cookies.count == 2)
    }

    @Test(arguments: [true, false])
    func `cookies of a server that one call's delegate approved of are for none other`(isShared: Bool) async throws {
        let store = MemoryCookieStore()
        let connector = MemoryConnector.tested(
            trust: { ServerTrust(host: $0, chain: [[1, 2, 3]], evaluation: .selfSigned) },
            answer: { _ in .response(fields: Self.setting("a=1; Path=/")) }
        )
        let delegate = AnsweringDelegate(challenged: { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return nil }
            return .useCredential(Credential(trust: trust))
        })
        let (shared, own) = isShared ? (delegate, nil) : (nil, delegate)
        var configuration = Self.configuration(store)
        configuration.timeouts = .patient()
        let client = Client(configuration: configuration.tested, delegate: shared, connector: connector)
        let request = Request(.get, "https://test/")
        _ = try await client.data(for: request, delegate: own)
        // The decision of the client's delegate applies to all calls, so the shared store may keep the cookies. A store
        // for a single call may always keep them.
        #expect(store.cookies.count == (isShared ? 1 : 0))
        let single = MemoryCookieStore()
        _ = try await client.data(for: request.cookies(.store(single)), delegate: own)
        #expect(single.cookies.count == 1)
    }

    @Test func `a redirect that sets a cookie and leads back is followed with it`() async throws {
        let scene = ClientScene(Self.configuration(MemoryCookieStore())) { request in
            request.fields[.cookie] == nil
                ? .response(.found, fields: Self.setting("in=yes; Path=/", others: [.location: "/"]))
                : .response(body: "welcome")
        }
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == "welcome")
        #expect(response.redirects.count == 1)
    }

    @Test func `a redirect to itself that sets ever new cookies ends`() async {
        let store = MemoryCookieStore()
        let scene = ClientScene(Self.configuration(store)) { request in
            let count = request.fields[.cookie].map { $0.split(separator: ";").count } ?? 0
            return .response(.found, fields: Self.setting("c\(count)=1; Path=/", others: [.location: "/"]))
        }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .redirectFailed(.loop, _)? = error else {
            Issue.record("no loop")
            return
        }
        #expect(Self.received(scene) == [nil, "c0=1", "c0=1; c1=1"])
    }

    @Test func `a cookie goes to no other host, also when a redirect leads there and back`() async throws {
        let scene = ClientScene(Self.configuration(MemoryCookieStore())) { request in
            switch (request.fields.first { $0.name.canonicalName == "host" }?.value, request.target) {
            case ("one.test", "/"):
                .response(.found, fields: Self.setting("a=1; Path=/", others: [.location: "http://two.test/"]))
            case ("two.test", "/"):
                .response(.found, fields: Self.setting("b=2; Path=/", others: [.location: "http://one.test/end"]))
            default: .response()
            }
        }
        _ = try await scene.client.data(for: Request(.get, "http://one.test/"))
        #expect(Self.received(scene) == [nil, nil, "a=1"])
    }

    @Test func `the caller's own field stays, and comes before the store's cookies of other names`() async throws {
        let scene = ClientScene(Self.configuration(MemoryCookieStore())) { _ in
            .response(fields: Self.setting("a=store; Path=/", "b=store; Path=/"))
        }
        _ = try await scene.client.data(from: testURL)
        let own = Request(url: testURL).header(.cookie, " a=mine; c=mine")
        _ = try await scene.client.data(for: own)
        _ = try await scene.client.data(for: own.cookies(.never))
        #expect(Self.received(scene) == [nil, "a=mine; c=mine; b=store", "a=mine; c=mine"])
    }

    @Test func `several fields of the caller become one`() async throws {
        let scene = ClientScene(Self.configuration(MemoryCookieStore())) { _ in .response() }
        var request = Request(url: testURL)
        request.fields.append(HTTPField(name: .cookie, value: "a=1"))
        request.fields.append(HTTPField(name: .cookie, value: "b=2"))
        _ = try await scene.client.data(for: request)
        #expect(Self.received(scene) == ["a=1; b=2"])
        #expect(scene.server.requests.first?.fields[fields: .cookie].count == 1)
    }

    @Test func `a request may use another store, or none`() async throws {
        let (shared, own) = (MemoryCookieStore(), MemoryCookieStore())
        let scene = ClientScene(Self.configuration(shared)) { _ in .response(fields: Self.setting("a=1; Path=/")) }
        _ = try await scene.client.data(for: Request(url: testURL).cookies(.never))
        #expect(shared.cookies.isEmpty)
        _ = try await scene.client.data(for: Request(url: testURL).cookies(.store(own)))
        #expect(shared.cookies.isEmpty && own.cookies.count == 1)
        #expect(CookiePolicy.store(own) != .store(shared) && CookiePolicy.store(own) == .store(own))
        #expect(CookiePolicy.never != .store(own))
    }

    @Test func `a request may bring a store to a client that has none`() async throws {
        let store = MemoryCookieStore()
        let scene = ClientScene { _ in .response(fields: Self.setting("a=1; Path=/")) }
        let request = Request(url: testURL).cookies(.store(store))
        for _ in 0..<2 { _ = try await scene.client.data(for: request) }
        #expect(Self.received(scene) == [nil, "a=1"])
    }

    @Test func `a 401 that sets a cookie is answered with it`() async throws {
        let scene = ClientScene(Self.configuration(MemoryCookieStore())) { request in
            request.fields[.authorization] == nil
                ? .response(
                    .unauthorized,
                    fields: Self.setting("round=1; Path=/", others: [.wwwAuthenticate: "Basic realm=\"r\""])
                )
                : .response(fields: Self.setting("session=2; Path=/"))
        }
        let credential = Credential(user: "u", password: "p")
        let request = Request(url: testURL).header(.cookie, "own=0").credential(credential)
        #expect(try await scene.client.data(for: request).1.statusCode == 200)
        #expect(Self.received(scene) == ["own=0", "own=0; round=1"])
        _ = try await scene.client.data(from: testURL)
        #expect(Self.received(scene).last == "round=1; session=2")
    }

    @Test func `cookies of a proxy's 407 are not the server's`() async throws {
        let store = MemoryCookieStore()
        let fields = Self.setting("a=1; Path=/", others: [.proxyAuthenticate: "Basic realm=\"r\""])
        let transport = ScriptedTransport(.response(.proxyAuthenticationRequired, fields: fields))
        let client = Client(configuration: Self.configuration(store), transport: transport)
        #expect(try await client.data(from: testURL).1.statusCode == 407)
        #expect(store.cookies.isEmpty)
    }

    @Test func `Secure cookies go over https only, and so does a page's SameSite hold`() async throws {
        let store = MemoryCookieStore()
        let set = Self.setting(
            "s=1; Secure",
            "strict=1; SameSite=Strict; Secure",
            "none=1; SameSite=None; Secure",
            "lax=1"
        )
        let steps = (0..<6).map { _ in ScriptedTransport.Step.response() }
        let transport = ScriptedTransport(.response(fields: set), steps[0], steps[1], steps[2], steps[3], steps[4])
        let client = Client(configuration: Self.configuration(store), transport: transport)
        let secure = Request(.get, "https://shop.example.com/")
        let page = try #require(URL(string: "https://evil.example.org/page"))
        let sibling = try #require(URL(string: "https://www.example.com/page"))
        for request in [
            secure, Request(.get, "http://shop.example.com/"), secure.siteForCookies(page),
            secure.siteForCookies(page, isNavigation: true), secure.siteForCookies(sibling),
            Request(.post, "https://shop.example.com/").siteForCookies(page, isNavigation: true),
        ] { _ = try await client.data(for: request) }
        #expect(
            transport.calls.map { $0.request.fields[.cookie] } == [
                nil, "lax=1", "none=1", "s=1; none=1; lax=1", "s=1; strict=1; none=1; lax=1", "none=1",
            ]
        )
    }

    @Test func `a WebSocket's handshake brings cookies and may set some`() async throws {
        let store = MemoryCookieStore()
        let transport = ScriptedTransport(
            .response(fields: Self.setting("a=1; Path=/")),
            .response(.forbidden, fields: Self.setting("b=2; Path=/"))
        )
        let client = Client(configuration: Self.configuration(store), transport: transport)
        _ = try await client.data(from: testURL)
        let error = await failure { () async throws(ClientError) in
            try await client.webSocket(for: Request(.get, "ws://test/chat"))
        }
        guard case .webSocketRefused? = error else {
            Issue.record("not refused")
            return
        }
        #expect(transport.calls.last?.request.fields[.cookie] == "a=1")
        #expect(store.cookies.map(\.name) == ["a", "b"])
    }

    @Test func `cookies that make no sense are passed over, the others kept`() async throws {
        let store = MemoryCookieStore()
        let scene = ClientScene(Self.configuration(store)) { _ in
            .response(
                fields: Self.setting("", ";;;", "a=1", "x=\(String(repeating: "y", count: 5000))", "b=2; Domain=com")
            )
        }
        _ = try await scene.client.data(from: testURL)
        #expect(store.cookies.map(\.name) == ["a"])
    }

    @Test func `a response full of long cookies does not make the next request long`() async throws {
        let store = MemoryCookieStore()
        let scene = ClientScene(Self.configuration(store)) { request in
            var fields = HTTPFields()
            let value = String(repeating: "v", count: 300)
            for number in 0..<190 {
                fields.append(HTTPField(name: .setCookie, value: "\(request.connection)-\(number)=\(value); Path=/"))
            }
            return .response(fields: fields)
        }
        for _ in 0..<3 { _ = try await scene.client.data(from: testURL) }
        _ = try await scene.client.data(for: Request(.get, "http://other.test/"))
        #expect(store.cookies.count == 360)
        let lengths = Self.received(scene).map { $0?.utf8.count ?? 0 }
        #expect(lengths[0] == 0 && lengths[3] == 0)
        #expect(lengths[1...2].allSatisfy { 7800...8190 ~= $0 })
    }

    @Test func `bytes that are no text come back as they were`() async throws {
        let scene = ClientScene(Self.configuration(MemoryCookieStore())) { _ in
            .response(fields: [.setCookie: "a=ü\u{2603}\"; Path=/"])
        }
        for _ in 0..<2 { _ = try await scene.client.data(from: testURL) }
        #expect(Self.received(scene).last == "a=ü\u{2603}\"")
    }

    // MARK: Unix sockets

    @Test func `a server behind a socket has no part in the cookies of the host whose name it bears`() async throws {
        let store = MemoryCookieStore()
        let scene = ClientScene(Self.configuration(store)) { request in
            .response(fields: Self.setting("c\(request.target.dropFirst())=1; Path=/"))
        }
        let socket = Request(.get, "http://test/x").unixSocket(path: "/run/x")
        _ = try await scene.client.data(from: testURL)
        _ = try await scene.client.data(for: socket)
        #expect(Self.received(scene) == [nil, nil])
        #expect(store.cookies.map(\.name) == ["c"])
        let own = MemoryCookieStore()
        for _ in 0..<2 { _ = try await scene.client.data(for: socket.cookies(.store(own))) }
        #expect(Self.received(scene) == [nil, nil, nil, "cx=1"])
        #expect(store.cookies.map(\.name) == ["c"])
    }

    // MARK: Stores that do not answer

    /// A store of which one method never returns.
    private final class SilentStore: CookieStore {
        let isSilentOnReceiving: Bool
        let asked = Flag()

        init(onReceiving: Bool) { self.isSilentOnReceiving = onReceiving }

        func cookies(for request: CookieRequest, at now: Date) async -> [Cookie] {
            if !self.isSilentOnReceiving { await self.beSilent() }
            return []
        }

        func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async { await self.beSilent() }

        private func beSilent() async {
            self.asked.raise()
            await neverAnswer()
        }
    }

    @Test(
        "the time limit and cancellation end a call whose cookie store never answers",
        arguments: [(false, ClientError.Phase.prepare), (true, .head)]
    )
    func silent(_ onReceiving: Bool, _ phase: ClientError.Phase) async throws {
        let store = SilentStore(onReceiving: onReceiving)
        let scene = ClientScene(Self.configuration(store)) { _ in .response(fields: Self.setting("a=1")) }
        let timed = Task { try await scene.client.data(for: Request(url: testURL).timeout(.seconds(5))) }
        await store.asked.wait()
        guard case .timedOut(_, _, let context)? = await scene.clock.advance(until: timed).clientError else {
            Issue.record("no limit of time")
            return
        }
        #expect(context.phase == phase)
        let cancelled = Task { try await scene.client.data(from: testURL) }
        await store.asked.wait(for: 2)
        cancelled.cancel()
        guard case .cancelled(let context)? = await cancelled.result.clientError else {
            Issue.record("not cancelled")
            return
        }
        #expect(context.phase == phase)
    }
}
