// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernAuthentication
import TernConnections
import TernErrors
import TernFoundation
import TernProxies
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("Proxies", .hangLimit, .http1Only("the proxies read HTTP/1.1"))
struct ProxyTests {
    private static let established = ScriptedResponse.raw("HTTP/1.1 200 Connection established\r\n\r\n")

    private static func digest(_ nonce: String) -> String { "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\"" }

    private func scene(
        _ proxy: Proxy?,
        delegate: (any TaskDelegate)? = nil,
        maximumConnectionsPerHost: Int = 64,
        trust: @escaping MemoryConnector.Trust = { .init(host: $0, chain: [Array($0.utf8)]) },
        answer: @escaping ScriptedServer.Answer
    ) -> (client: Client, server: ScriptedServer, connector: MemoryConnector) {
        var configuration = Client.Configuration()
        configuration.proxy = proxy.map { .proxy($0) } ?? .direct
        configuration.pool.maximumConnectionsPerHost = maximumConnectionsPerHost
        let server = ScriptedServer(answer)
        let clock = ManualClock()  // no test here needs time to pass
        let connector = MemoryConnector(server, clock: clock, trust: trust)
        let client = Client(configuration: configuration, delegate: delegate, connector: connector, clock: clock)
        return (client, server, connector)
    }

    // MARK: Events

    /// With an ID to begin with, a POST that counts as answered would continue as a GET.
    @Test func `a POST for events is sent again if the proxy did not connect to the server`() async throws {
        let connectCount = Atomic(0)
        let scene = self.scene(Proxy(.http, host: "proxy", port: 80)) { request in
            guard request.method == .connect else { return .events("data: a\n\ndata: [DONE]\n\n") }
            let number = connectCount.add(1, ordering: .relaxed).newValue
            return number == 1 ? .response(.serviceUnavailable) : Self.established
        }
        let request = Request(.post, "https://test/").body(json: 1)
        let policy = EventReconnectionPolicy.immediate(resumption: .get)
        let events = scene.client
            .reconnectingEvents(for: request, lastEventID: "7", until: .data("[DONE]"), policy: policy)
        let (lines, error) = await lines(events)
        #expect(lines.dropFirst() == ["connected 200", "event 7:a", "disconnected 2 ended, final"])
        #expect(error == nil)
        #expect(scene.server.requests.map(\.method) == [.connect, .connect, .post])
    }

    // MARK: Credentials

    @Test(arguments: ["http://test/", "https://test/"])
    func `what one user's proxy accepted is not told in the name of another, nor of nobody`(_ url: String) async throws
    {
        let scene = self.scene(nil) { request in
            guard request.method == .connect || request.target.hasPrefix("http:") else {
                return .response(body: "fine")
            }
            let isKnown = request.fields[.proxyAuthorization] != nil
            guard !isKnown else { return request.method == .connect ? Self.established : .response(body: "fine") }
            let challenge: HTTPFields = [.proxyAuthenticate: "Basic realm=\"r\""]
            return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
        }
        for user in ["a", "b"] {
            let proxy = Proxy(.http, host: "proxy", port: 80, user: user, password: "")
            let request = Request(.get, url).proxy(.proxy(proxy))
            #expect(try await scene.client.data(for: request).1.status == .ok)
        }
        let sent = scene.server.requests.map { $0.fields[.proxyAuthorization] }.filter { $0 != nil }
        #expect(sent.count == 2 && Set(sent) == ["Basic YTo=", "Basic Yjo="])
        let requests = scene.server.requests.count
        _ = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, url).proxy(.proxy(Proxy(.http, host: "proxy", port: 80))))
        }
        #expect(scene.server.requests.dropFirst(requests).map { $0.fields[.proxyAuthorization] } == [nil])
    }

    /// Returns the credentials in the requests to the proxy, or `-` for a request without any.
    private static func sentToProxy(_ server: ScriptedServer) -> [String] {
        server.requests
            .filter { $0.method == .connect || $0.target.hasPrefix("http:") }
            .map { $0.fields[.proxyAuthorization] ?? "-" }
    }

    @Test(arguments: ["http://test/", "https://test/"])
    func `the user of the proxy's URL goes with the first request and with the first CONNECT`(
        _ url: String
    ) async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        // A proxy that never asks: it closes the connection of a client without credentials.
        let scene = self.scene(proxy) { request in
            guard request.method == .connect || request.target.hasPrefix("http:") else {
                return .response(body: "fine")
            }
            guard request.fields[.proxyAuthorization] == "Basic YTpi" else { return .close }
            return request.method == .connect ? Self.established : .response(body: "fine")
        }
        for _ in 0..<2 { #expect(try await scene.client.data(from: URL(string: url) ?? testURL).1.status == .ok) }
        #expect(Set(Self.sentToProxy(scene.server)) == ["Basic YTpi"])
    }

    @Test(arguments: ["http://test/", "https://test/"])
    func `a proxy that wants Digest gets it, and then at once`(_ url: String) async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        let scene = self.scene(proxy) { request in
            guard request.method == .connect || request.target.hasPrefix("http:") else {
                return .response(body: "fine", ending: .close)
            }
            guard request.fields[.proxyAuthorization]?.hasPrefix("Digest") ?? false else {
                let challenge: HTTPFields = [.proxyAuthenticate: Self.digest("n")]
                return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
            }
            return request.method == .connect ? Self.established : .response(body: "fine")
        }
        for _ in 0..<2 { #expect(try await scene.client.data(from: URL(string: url) ?? testURL).1.status == .ok) }
        let schemes = Self.sentToProxy(scene.server).map { $0.prefix { $0 != " " } }
        #expect(schemes == ["Basic", "Digest", "Digest"])
    }

    @Test(arguments: ["http://test/", "https://test/"])
    func `a password that was refused is not sent again, and the delegate learns of it`(_ url: String) async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        let challenges = Mutex<[AuthenticationChallenge]>([])
        let delegate = AnsweringDelegate(challenged: { challenge in
            challenges.withLock { $0.append(challenge) }
            return nil
        })
        let scene = self.scene(proxy, delegate: delegate) { _ in
            let challenge: HTTPFields = [.proxyAuthenticate: "Basic realm=\"r\""]
            return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
        }
        _ = try? await scene.client.data(from: URL(string: url) ?? testURL)
        #expect(Self.sentToProxy(scene.server) == ["Basic YTpi"])
        let seen = challenges.withLock { $0 }
        #expect(seen.map(\.previousFailureCount) == [1])
        #expect(seen.first?.proposedCredential == nil && seen.first?.protectionSpace.realm == "r")
    }

    @Test func `a proxy's password is kept, even if the server then refuses the request`() async throws {
        let questions = Flag()
        let delegate = AnsweringDelegate(challenged: { challenge in
            guard challenge.protectionSpace.isProxy else { return nil }
            questions.raise()
            return .useCredential(Credential(user: "a", password: "b"))
        })
        let scene = self.scene(Proxy(.http, host: "proxy", port: 80), delegate: delegate) { request in
            guard request.fields[.proxyAuthorization] != nil else {
                let challenge: HTTPFields = [.proxyAuthenticate: "Basic realm=\"r\""]
                return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
            }
            return .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"s\""], body: "")
        }
        // The caller answers the second call's challenge, because it has set the field.
        for request in [Request(.get, "http://test/"), Request(.get, "http://test/").header(.authorization, "own")] {
            #expect(try await scene.client.data(for: request).1.status == .unauthorized)
        }
        #expect(Self.sentToProxy(scene.server) == ["-", "Basic YTpi", "Basic YTpi"])
        #expect(questions.count == 1)
    }

    @Test func `what a proxy refused or accepted counts for each tunnel that a call needs`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "wrong")
        let counts = Mutex<[Int]>([])
        let delegate = AnsweringDelegate(challenged: { challenge in
            guard challenge.protectionSpace.isProxy else { return nil }
            counts.withLock { $0.append(challenge.previousFailureCount) }
            return .useCredential(Credential(user: "a", password: "b", persistence: .none))
        })
        let scene = self.scene(proxy, delegate: delegate) { request in
            if request.method == .connect {
                guard request.fields[.proxyAuthorization] != "Basic YTpi" else { return Self.established }
                let challenge: HTTPFields = [.proxyAuthenticate: "Basic realm=\"r\""]
                return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
            }
            guard request.fields[.authorization] == nil else { return .response(body: "fine") }
            return .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"s\""], body: "")
        }
        // The password is for one call, and so is the tunnel: the answer to the server's challenge needs a second one.
        let request = Request(.get, "https://test/").credential(Credential(user: "c", password: "d"))
        #expect(try await scene.client.data(for: request).1.status == .ok)
        #expect(Self.sentToProxy(scene.server) == ["Basic YTp3cm9uZw==", "Basic YTpi", "Basic YTpi"])
        #expect(counts.withLock { $0 } == [1])
    }

    @Test func `a call that is cancelled while its delegate thinks leaves no other call waiting`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80)
        let scene = self.scene(proxy, maximumConnectionsPerHost: 1) { request in
            guard request.method == .connect, request.fields[.proxyAuthorization] == nil else {
                return request.method == .connect ? Self.established : .response(body: "fine")
            }
            let challenge: HTTPFields = [.proxyAuthenticate: "Basic realm=\"r\""]
            return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
        }
        let isAsked = Flag()
        let silent = AnsweringDelegate(challenged: { challenge in
            guard challenge.protectionSpace.isProxy else { return nil }
            isAsked.raise()
            await neverAnswer()
            return nil
        })
        let request = Request(.get, "https://test/")
        let first = Task { try await scene.client.data(for: request, delegate: silent) }
        await isAsked.wait()
        let answering = RecordingDelegate { challenge in
            challenge.protectionSpace.isProxy ? .useCredential(Credential(user: "a", password: "b")) : nil
        }
        let second = Task { try await scene.client.data(for: request, delegate: answering) }
        try await answering.waitForEvents(1)  // it waits for the only connection
        first.cancel()
        #expect(await first.result.clientError?.isCancellation == true)
        #expect(try await second.value.1.status == .ok)
    }

    @Test func `a user that Basic cannot express waits for the challenge`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a:b", password: "c")
        let scene = self.scene(proxy) { _ in .response(body: "fine") }
        #expect(try await scene.client.data(from: testURL).1.status == .ok)
        #expect(Self.sentToProxy(scene.server) == ["-"])
    }

    @Test func `a request's own field for the proxy is the only one`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        let scene = self.scene(proxy) { _ in .response(body: "fine") }
        let request = Request(.get, "http://test/").header(.proxyAuthorization, "Bearer own")
        #expect(try await scene.client.data(for: request).1.status == .ok)
        #expect(Self.sentToProxy(scene.server) == ["Bearer own"])
    }

    /// RFC 7616 §3.4: the count of a nonce is "the number of requests (including the current request) that the client has
    /// sent with the nonce value".
    @Test func `a nonce's count grows with each request, whoever challenged last`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        let scene = self.scene(proxy) { request in
            guard let toProxy = request.fields[.proxyAuthorization], toProxy.hasPrefix("Digest") else {
                return .response(
                    .proxyAuthenticationRequired,
                    fields: [.proxyAuthenticate: Self.digest("first")],
                    body: ""
                )
            }
            guard request.fields[.authorization] != nil else {
                return .response(.unauthorized, fields: [.wwwAuthenticate: Self.digest("server")], body: "")
            }
            // After the server's challenge, the proxy asks for a new nonce.
            guard toProxy.contains("second") else {
                let stale = Self.digest("second") + ", stale=true"
                return .response(.proxyAuthenticationRequired, fields: [.proxyAuthenticate: stale], body: "")
            }
            return .response(body: "fine")
        }
        let request = Request(.get, "http://test/").credential(Credential(user: "c", password: "d"))
        #expect(try await scene.client.data(for: request).1.status == .ok)
        #expect(scene.server.requests.count == 4)
        for name in [HTTPField.Name.proxyAuthorization, .authorization] {
            let values = scene.server.requests.compactMap { $0.fields[name] }.filter { !$0.hasPrefix("Basic") }
            #expect(values.count == (name == .authorization ? 2 : 3))
            #expect(Set(values).count == values.count)
            let counts = values.compactMap { $0.firstMatch(of: /nonce="(\w+)".*nc=(\d+)/).map { "\($0.1) \($0.2)" } }
            let expected =
                name == .authorization
                ? ["server 00000001", "server 00000002"] : ["first 00000001", "first 00000002", "second 00000001"]
            #expect(counts == expected)
        }
    }

    @Test func `CONNECT has nothing of the request, also after challenges by both`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        let scene = self.scene(proxy) { request in
            if request.method == .connect {
                guard request.fields[.proxyAuthorization] == nil else { return Self.established }
                let challenge: HTTPFields = [.proxyAuthenticate: "Basic realm=\"r\""]
                return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
            }
            guard request.fields[.authorization] == nil else { return .response(body: "fine", ending: .close) }
            return .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"s\""], body: "", ending: .close)
        }
        let request = Request(.get, "https://test/")
            .credential(Credential(user: "c", password: "d"))
            .header(.cookie, "e=f")
        for _ in 0..<2 { #expect(try await scene.client.data(for: request).1.status == .ok) }
        for request in scene.server.requests {
            let names = Set(request.fields.map(\.name.canonicalName))
            if request.method == .connect {
                #expect(names.isSubset(of: ["host", "user-agent", "proxy-authorization"]))
                #expect([nil, "Basic YTpi"].contains(request.fields[.proxyAuthorization]))
            } else {
                #expect(!names.contains("proxy-authorization"))
            }
        }
    }

    @Test func `a redirect past the proxy takes nothing along that was for it`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        var configuration = Client.Configuration.patient
        configuration.proxy = .proxy(proxy, except: ProxyExceptions("elsewhere"))
        let server = ScriptedServer { request in
            guard request.target.hasPrefix("http:") else { return .response(body: "fine") }
            guard request.fields[.proxyAuthorization] != nil else {
                let challenge: HTTPFields = [.proxyAuthenticate: "Basic realm=\"r\""]
                return .response(.proxyAuthenticationRequired, fields: challenge, body: "")
            }
            return .response(.found, fields: [.location: "http://elsewhere/"], body: "")
        }
        let client = Client(configuration: configuration, connector: MemoryConnector(server))
        var request = Request(.get, "http://test/")
        for isOwn in [false, true] {
            if isOwn { request.fields[.proxyAuthorization] = "Basic YTpi" }
            #expect(try await client.data(for: request).1.redirects.count == 1)
            #expect(server.requests.last?.target == "/")
            #expect(server.requests.last?.fields[.proxyAuthorization] == nil)
        }
    }

    // MARK: Custom transports

    @Test func `a custom transport, which does not use the client's proxy, gets no credential for it`() async throws {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "a", password: "b")
        var configuration = Client.Configuration.patient
        configuration.proxy = .proxy(proxy)
        let transport = ScriptedTransport(.response(), .response())
        let client = Client(configuration: configuration, transport: transport)
        let request = Request(.get, "http://test/")
        for request in [request, request.proxy(.proxy(proxy))] { _ = try await client.data(for: request) }
        #expect(transport.calls.map { $0.request.fields[.proxyAuthorization] } == [nil, nil])
    }

    // MARK: Trust

    @Test(arguments: ["http://test/", "https://test/"])
    func `a proxy that one call's delegate trusts is trusted by no other call`(_ url: String) async throws {
        let proxy = Proxy(.https, host: "proxy", port: 443)
        let trust: MemoryConnector.Trust = {
            .init(host: $0, chain: [Array($0.utf8)], evaluation: $0 == "proxy" ? .certificateExpired() : nil)
        }
        let scene = self.scene(proxy, trust: trust) {
            $0.method == .connect ? Self.established : .response(body: "fine")
        }
        let trusting = RecordingDelegate { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return nil }
            return .useCredential(Credential(trust: trust))
        }
        let request = Request(.get, url)
        #expect(try await scene.client.data(for: request, delegate: trusting).1.status == .ok)
        let other = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
        guard case .tlsFailed(.certificateExpired, let context) = other else {
            Issue.record("\(String(describing: other))")
            return
        }
        #expect(context.phase == .proxy)
    }

    @Test(arguments: ["http://test/", "https://test/"])
    func `a call's delegate is asked about a proxy that others trusted`(_ url: String) async throws {
        let proxy = Proxy(.https, host: "proxy", port: 443)
        let scene = self.scene(proxy) { $0.method == .connect ? Self.established : .response(body: "fine") }
        let request = Request(.get, url)
        _ = try await scene.client.data(for: request)
        let rejecting = RecordingDelegate { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return nil }
            return trust.host == "proxy" ? .cancel : nil
        }
        let other = await failure { () async throws(ClientError) in
            try await scene.client.data(for: request, delegate: rejecting)
        }
        guard case .tlsFailed(.rejected, let context) = other else {
            Issue.record("\(String(describing: other))")
            return
        }
        #expect(context.phase == .proxy)
        #expect(scene.connector.attemptCount == 1)
    }
}
