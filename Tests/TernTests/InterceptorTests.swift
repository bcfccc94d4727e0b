// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Interceptors", .hangLimit)
struct InterceptorTests {
    /// The interceptor of the article "Stages and interceptors", which records the calls that pass it.
    private struct Log: Interceptor {
        let name: String
        let lines: Lines

        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            let signedIn = call.request.fields.contains(.authorization) ? ", signed in" : ""
            self.lines.add("\(self.name): \(call.request.method) \(call.request.url.path)\(signedIn)")
            let reply = try await next.respond(to: call)
            self.lines.add("\(self.name): \(reply.response.statusCode)")
            return reply
        }
    }

    private final class Lines: Sendable {
        private let state = Mutex<[String]>([])
        var all: [String] { self.state.withLock { $0 } }
        func add(_ line: String) { self.state.withLock { $0.append(line) } }
    }

    @Test func `one place sees each call, the other each attempt, as the article shows`() async throws {
        let lines = Lines()
        var configuration = Client.Configuration()
        configuration.retry = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        configuration.callInterceptors = [Log(name: "call", lines: lines)]
        configuration.attemptInterceptors = [Log(name: "attempt", lines: lines)]
        let isReady = Atomic(false)
        let scene = ClientScene(configuration) { request in
            guard isReady.exchange(true, ordering: .relaxed) else { return .response(.serviceUnavailable) }
            if request.target == "/photo" { return .response(.found, fields: [.location: "/photos/1"]) }
            guard request.fields.contains(.authorization) else {
                return .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"photos\""])
            }
            return .response(body: "photo")
        }
        let request = Request(.get, "http://test/photo").credential(Credential(user: "anna", password: "p"))
        _ = try await scene.client.data(for: request)
        #expect(
            lines.all == [
                "call: GET /photo",
                "attempt: GET /photo",
                "attempt: 503",
                "attempt: GET /photo",
                "attempt: 302",
                "attempt: GET /photos/1",
                "attempt: 401",
                "attempt: GET /photos/1, signed in",
                "attempt: 200",
                "call: 200",
            ]
        )
    }

    @Test func `interceptors of one place are passed in their order, and each may answer by itself`() async throws {
        struct Answering: Interceptor {
            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                HTTPReply(
                    response: Response(url: call.request.url, status: .init(code: 299)),
                    body: ResponseBody("mine")
                )
            }
        }
        let lines = Lines()
        var configuration = Client.Configuration()
        configuration.callInterceptors = [Log(name: "a", lines: lines), Log(name: "b", lines: lines), Answering()]
        let scene = ClientScene(configuration) { _ in .response() }
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(response.statusCode == 299)
        #expect(data == Data("mine".utf8))
        #expect(lines.all == ["a: GET /", "b: GET /", "b: 299", "a: 299"])
        #expect(scene.server.requests.isEmpty)
    }

    @Test func `what a call's interceptor adds is taken along by redirects; an attempt's is added anew`() async throws {
        struct Adding: Interceptor {
            let name: HTTPField.Name
            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                var call = call
                call.request = call.request.header(adding: self.name, "1")
                return try await next.respond(to: call)
            }
        }
        var configuration = Client.Configuration()
        configuration.callInterceptors = [Adding(name: .from)]
        configuration.attemptInterceptors = [Adding(name: .via)]
        let scene = ClientScene(configuration) { request in
            request.target == "/" ? .response(.found, fields: [.location: "/next"]) : .response()
        }
        _ = try await scene.client.data(from: testURL)
        for request in scene.server.requests {
            for name in [HTTPField.Name.from, .via] {
                #expect(request.fields[values: name] == ["1"], "once, not once for each hop")
            }
        }
        #expect(scene.server.requests.count == 2)
    }

    // MARK: Asking again

    /// An interceptor that keeps the first reply, sends the request again, and then reads the first reply.
    private struct Keeping: Interceptor {
        let later: Observed<Fault?>
        var readsFirst = false

        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            let first = try await next.respond(to: call)
            if self.readsFirst {
                var reader = first.body.makeReader()
                _ = try await reader.next()
            }
            let second = try await next.respond(to: call)
            do throws(ClientError) {
                for try await _ in first.body {}
            } catch {
                let fault = error.fault
                self.later.update { $0 = fault }
            }
            return second
        }
    }

    @Test(arguments: [false, true])
    func `an interceptor that keeps a reply on a host with one connection does not wait for itself`(
        readsFirst: Bool
    ) async throws {
        let later = Observed<Fault?>(nil)
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 1
        configuration.attemptInterceptors = [Keeping(later: later, readsFirst: readsFirst)]
        let answers = Atomic(0)
        let scene = ClientScene(plan: .oneStream, configuration) { _ in
            guard answers.add(1, ordering: .relaxed).newValue == 1 else { return .response(body: "second") }
            return .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
        }
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(data == Data("second".utf8))
        #expect(later.value == .bodyMisused(.discarded))
    }

    @Test func `with room for two connections the reply that was kept can be read`() async throws {
        let later = Observed<Fault?>(nil)
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 2
        configuration.attemptInterceptors = [Keeping(later: later)]
        let scene = ClientScene(configuration) { _ in .chunked(["one", "two"]) }
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(data == Data("onetwo".utf8))
        #expect(later.value == nil)
    }

    @Test func `stages keep nothing of their own in the request that others see`() async throws {
        struct Look: Interceptor {
            let isEmpty: Observed<[Bool]>

            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                self.isEmpty.update { $0.append(call.request.options.isEmpty) }
                return try await next.respond(to: call)
            }
        }
        let isEmpty = Observed<[Bool]>([])
        var configuration = Client.Configuration()
        configuration.cookieStore = MemoryCookieStore()
        configuration.cache = MemoryCacheStore()
        configuration.retry = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        configuration.attemptInterceptors = [Look(isEmpty: isEmpty)]
        let isReady = Atomic(false)
        let scene = ClientScene(configuration) { _ in
            guard isReady.exchange(true, ordering: .relaxed) else { return .response(.serviceUnavailable) }
            return .response(fields: [.setCookie: "a=b", .cacheControl: "max-age=60"], body: "x")
        }
        _ = try await scene.client.data(from: testURL)
        #expect(isEmpty.value == [true, true])
    }
}
