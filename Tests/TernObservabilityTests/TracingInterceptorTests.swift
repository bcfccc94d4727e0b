// SPDX-License-Identifier: Apache-2.0
import InMemoryTracing
import NIOCore
import Synchronization
import Tern
import TernObservability
import TernTesting
import TernTransport
import TestSupport
import Testing
import Tracing

@Suite(.hangLimit)
struct TracingInterceptorTests {
    private let tracer = InMemoryTracer()

    private func scene(answer: @escaping ScriptedServer.Answer) -> ObservedScene {
        let tracer = self.tracer
        return ObservedScene({ $0.addTracing(tracer) }, answer: answer)
    }

    private func attribute(_ name: String, of span: FinishedInMemorySpan?) -> SpanAttribute? {
        span?.attributes[name]?.toSpanAttribute()
    }

    @Test func `a call is a span, and each attempt a child`() async throws {
        let scene = self.scene { request in
            request.target == "/" ? .response(.found, fields: [.location: "/there"]) : .response(body: "x")
        }
        _ = try await scene.client.data(for: Request(.get, "http://test/"))
        let spans = self.tracer.finishedSpans
        let call = try #require(spans.first { $0.kind == .internal })
        let attempts = spans.filter { $0.kind == .client }
        #expect(call.operationName == "HTTP GET")
        #expect(attempts.map(\.operationName) == ["GET", "GET"])
        #expect(attempts.map(\.parentSpanID) == [call.spanID, call.spanID])
        #expect(Set(spans.map(\.traceID)).count == 1)
        #expect(attempts.map { self.attribute("http.response.status_code", of: $0) } == [.int64(302), .int64(200)])
        #expect(self.attribute("http.request.resend_count", of: attempts.last) == .int64(1))
        #expect(self.tracer.activeSpans.isEmpty)
    }

    @Test(arguments: ["1.0", "1.1"])
    func `the version is the one that the server spoke`(version: String) async throws {
        let scene = self.scene { _ in .raw("HTTP/\(version) 200 OK\r\nContent-Length: 1\r\n\r\nx") }
        _ = try await scene.client.data(for: Request(.get, "http://test/"))
        let spans = self.tracer.finishedSpans
        let versions = spans.map { self.attribute("network.protocol.version", of: $0) }
        #expect(versions == [.string(version), .string(version)])
    }

    @Test func `an answer from the cache has no version`() async throws {
        let tracer = self.tracer
        let scene = ObservedScene({ configuration in
            configuration.cache = MemoryCacheStore()
            configuration.addTracing(tracer)
        }) { _ in .response(fields: [.cacheControl: "max-age=60"], body: "x") }
        for _ in 0..<2 { _ = try await scene.client.data(for: Request(.get, "http://test/")) }
        let calls = self.tracer.finishedSpans.filter { $0.kind == .internal }
        let versions = calls.map { self.attribute("network.protocol.version", of: $0) }
        #expect(versions == [.string("1.1"), nil])
        #expect(calls.map { self.attribute("http.response.status_code", of: $0) } == [.int64(200), .int64(200)])
    }

    @Test func `the context of the attempt is sent along`() async throws {
        let scene = self.scene { request in
            .response(body: request.fields.map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n"))
        }
        let (data, _) = try await scene.client.data(for: Request(.get, "http://test/"))
        let attempt = try #require(self.tracer.finishedSpans.first { $0.kind == .client })
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(": \(attempt.spanID)"))
        #expect(text.contains(": \(attempt.traceID)"))
    }

    @Test func `no secret is in a span`() async throws {
        let scene = self.scene { _ in .response(.notFound) }
        _ = try await scene.client.data(for: secretRequest)
        let spans = self.tracer.finishedSpans
        #expect(self.attribute("url.full", of: spans.first) == .string("http://test/photos?REDACTED"))
        #expect(spans.map { $0.status?.code } == [.error, .error])
        for span in spans {
            var text = span.operationName
            span.attributes.forEach { text += " \($0)=\($1)" }
            for secret in secrets { #expect(!text.contains(secret)) }
        }
    }

    @Test func `no part of an error is in a span, but its text`() async throws {
        struct Leak: Error { let url = "http://anna:hunter2@test/photos?token=sesame" }
        let transport = ScriptedTransport(.failure { .interceptorFailed(Leak(), $0) })
        var configuration = Client.Configuration()
        configuration.addTracing(self.tracer)
        let client = Client(configuration: configuration, transport: transport)
        _ = try? await client.data(for: secretRequest)
        let spans = self.tracer.finishedSpans
        #expect(spans.map(\.errors.count) == [1, 1])
        for span in spans {
            let recorded = try #require(span.errors.first)
            var text = span.status?.message ?? ""
            dump(recorded.error, to: &text)
            recorded.attributes.forEach { text += " \($0)=\($1)" }
            for secret in secrets { #expect(!text.contains(secret)) }
            #expect("\(recorded.error)".contains("Leak"))
            #expect(recorded.attributes.get("exception.type") == .string("TernErrors.ClientError"))
            #expect(recorded.attributes.get("exception.message") == .string("\(recorded.error)"))
        }
    }

    @Test func `a failure is recorded`() async throws {
        let scene = self.scene { _ in .close }
        _ = try? await scene.client.data(for: Request(.get, "http://test/"))
        let spans = self.tracer.finishedSpans
        #expect(spans.count == 2)
        #expect(spans.map { $0.status?.code } == [.error, .error])
        #expect(spans.map(\.errors.count) == [1, 1])
        #expect(self.attribute("error.type", of: spans.last) == .string("connectionLost"))
    }

    @Test func `a span lasts as long as the body`() async throws {
        /// A body that never reaches its end.
        final class Pieces: ResponseBodySource {
            private let left = Atomic<Int>(2)
            let length: Int64? = nil

            func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
                let left = self.left.subtract(1, ordering: .relaxed).oldValue
                return left > 0 ? ByteBuffer(string: "piece") : nil
            }

            func discard() {}
        }
        let transport = ScriptedTransport(
            .init { call in
                HTTPReply(response: Response(url: call.request.url), body: ResponseBody(Pieces()))
            }
        )
        var configuration = Client.Configuration()
        configuration.addTracing(self.tracer)
        let client = Client(configuration: configuration, transport: transport)
        let reply = try await client.reply(for: Request(.get, "http://test/"))
        var reader = reply.body.makeReader()
        for _ in 0..<2 {
            let piece = try await reader.next()
            #expect(piece != nil)
            #expect(self.tracer.activeSpans.count == 2)
            #expect(self.tracer.finishedSpans.isEmpty)
        }
        let end = try await reader.next()
        #expect(end == nil)
        #expect(self.tracer.activeSpans.isEmpty)
        #expect(self.tracer.finishedSpans.count == 2)
        withExtendedLifetime(reply) {}
    }

    @Test func `a call that is cancelled is no error`() async throws {
        let transport = ScriptedTransport(.hang)
        var configuration = Client.Configuration()
        configuration.addTracing(self.tracer)
        let client = Client(configuration: configuration, transport: transport)
        let calling = Task { try await client.data(for: Request(.get, "http://test/")) }
        try await transport.waitForCalls(1)
        calling.cancel()
        _ = await calling.result
        let spans = self.tracer.finishedSpans
        #expect(spans.count == 2)
        #expect(spans.allSatisfy { $0.status == nil && $0.errors.isEmpty })
        #expect(self.attribute("tern.cancelled", of: spans.first) == .bool(true))
    }

    @Test func `a span ends when the reply is released`() async throws {
        let scene = self.scene { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
        }
        do {
            let reply = try await scene.client.reply(for: Request(.get, "http://test/"))
            #expect(self.tracer.activeSpans.count == 2)
            withExtendedLifetime(reply) {}
        }
        #expect(self.tracer.activeSpans.isEmpty)
        #expect(self.tracer.finishedSpans.count == 2)
    }

    @Test func `a span of the application is the parent`() async throws {
        let scene = self.scene { _ in .response() }
        let own = self.tracer.startSpan("own")
        try await ServiceContext.withValue(own.context) {
            _ = try await scene.client.data(for: Request(.get, "http://test/"))
        }
        own.end()
        let call = try #require(self.tracer.finishedSpans.first { $0.kind == .internal && $0.operationName != "own" })
        #expect(call.parentSpanID == own.spanID)
    }
}
