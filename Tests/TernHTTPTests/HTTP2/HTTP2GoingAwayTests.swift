// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("HTTP/2: streams and connections that the server ends", .hangLimit)
struct HTTP2GoingAwayTests {
    private static func request(_ method: HTTPRequest.Method, _ path: String = "/") -> Request {
        let request = Request(method, "http://test\(path)")
        return method == .post ? request.body(data: Data("body".utf8)) : request
    }

    // MARK: GOAWAY

    @Test(arguments: [HTTPRequest.Method.get, .post, .delete])
    func `a call that was not processed goes to another connection`(method: HTTPRequest.Method) async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            if peer.number == 1 {
                guard try await peer.nextRequest() != nil else { return }
                try await peer.send(.goAway(last: 0))
                return await peer.connection.waitForEnd()
            }
            try await peer.serve { request in
                let content = try await peer.content(of: request)
                try await peer.respond(to: request, "second \(content.text)")
            }
        }
        let answer = try await scene.answer(to: Self.request(method))
        #expect(answer == Answer(text: method == .post ? "second body" : "second "))
        #expect(scene.connector.attemptCount == 2)
        try await scene.connector.waitForOpen(1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `calls that the server has begun to process end where they are`() async throws {
        let (hasGone, mayAnswer) = (Flag(), Suspension<Void>())
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard peer.number == 1 else {
                return try await peer.serve { request in try await peer.respond(to: request, "2") }
            }
            var requests: [HTTP2Headers] = []
            while requests.count < 3, let request = try await peer.nextRequest() { requests.append(request) }
            try await peer.send(.goAway(last: 5))
            try await peer.roundTrip()
            hasGone.raise()
            await mayAnswer.wait(onCancel: ())
            for request in requests { try await peer.respond(to: request, "1") }
            await peer.connection.waitForEnd()
        }
        let calls = (0..<3).map { number in Task { try await scene.get("/\(number)").text } }
        await hasGone.wait()
        #expect(try await scene.get("/new").text == "2")
        #expect(scene.connector.openCount == 2)
        mayAnswer.resume(with: ())
        for call in calls { #expect(try await call.value == "1") }
        try await scene.connector.waitForOpen(1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a GOAWAY in two steps refuses nothing that came between`() async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let first = try await peer.nextRequest() else { return }
            try await peer.send(.goAway(last: 0x7FFF_FFFF))
            try await peer.roundTrip()
            try await peer.send(.goAway(last: first.stream))
            try await peer.roundTrip()
            try await peer.respond(to: first, "\(peer.number)")
            await peer.connection.waitForEnd()
        }
        #expect(try await scene.get("/first").text == "1")
        try await scene.connector.waitForOpen(0)
        #expect(try await scene.get("/second").text == "2")
    }

    @Test func `a body goes on after GOAWAY, beside calls that were refused`() async throws {
        for _ in 0..<50 {
            let scene = Scene.http2 { peer in
                try await peer.handshake()
                guard peer.number == 1 else {
                    return try await peer.serve { request in try await peer.respond(to: request, "2") }
                }
                guard let kept = try await peer.nextRequest() else { return }
                try await peer.begin(kept)
                for _ in 0..<5 { _ = try await peer.nextRequest() }
                try await peer.send(.goAway(last: kept.stream))
                try await peer.roundTrip()
                try await peer.end(kept, "kept")
                await peer.connection.waitForEnd()
            }
            let kept = try await scene.head(of: "/kept")
            let refused = (0..<5).map { number in Task { try await scene.get("/\(number)").text } }
            for call in refused { #expect(try await call.value == "2") }
            #expect(try await kept.body.text() == "kept")
            withExtendedLifetime(scene) {}
        }
    }

    @Test func `an idle connection that the server has ended is replaced`() async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.respond(to: request, "\(peer.number)")
            if peer.number == 1 { try await peer.send(.goAway(last: request.stream)) }
            if peer.number > 1 { await peer.connection.waitForEnd() }
        }
        #expect(try await scene.answer() == Answer(text: "1"))
        try await scene.connector.waitForOpen(0)
        #expect(try await scene.answer() == Answer(text: "2"))
        try await scene.expectSettled(idle: 1)
    }

    // MARK: RST_STREAM

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `a refused stream is opened again on the same connection`(method: HTTPRequest.Method) async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let first = try await peer.nextRequest() else { return }
            try await peer.send(.reset(first.stream, HTTP2Code.refusedStream))
            try await peer.serve { request in
                try await peer.respond(to: request, try await peer.content(of: request).text + "again")
            }
        }
        let answer = try await scene.answer(to: Self.request(method))
        #expect(answer == Answer(text: method == .post ? "bodyagain" : "again", isReused: true))
        #expect(scene.connector.attemptCount == 1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a server that always refuses is not asked forever`() async throws {
        let requests = Journal<Int>()
        let scene = Scene.http2Answering { peer, request in
            requests.note(request.stream)
            try await peer.send(.reset(request.stream, HTTP2Code.refusedStream))
        }
        let failure = await scene.failure(of: Self.request(.post))
        #expect(failure?.ending == Ending(.connectionLost(.streamReset(code: 7)), in: .head))
        #expect(failure?.context.delivery == .refused)
        #expect(requests.all.count == 11)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a stream that is reset before the head of its response`() async throws {
        let requests = Journal<Int>()
        let scene = Scene.http2Answering { peer, request in
            requests.note(request.stream)
            try await peer.send(.reset(request.stream, HTTP2Code.internalError))
        }
        let failure = await scene.failure()
        #expect(failure?.ending == Ending(.connectionLost(.streamReset(code: 2)), in: .head))
        #expect(failure?.context.delivery == .unknown)
        #expect(requests.all.count == 1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a reset is an answer, even on a connection that was idle before`() async throws {
        let requests = Journal<String>()
        let scene = Scene.http2Answering { peer, request in
            requests.note(request.path)
            guard request.path == "/reset" else { return try await peer.respond(to: request) }
            try await peer.send(.reset(request.stream, HTTP2Code.internalError))
        }
        _ = try await scene.get("/first")
        #expect(await scene.error(of: "/reset")?.ending == Ending(.connectionLost(.streamReset(code: 2)), in: .head))
        #expect(requests.all == ["/first", "/reset"])
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a stream that is reset within the body of its response`() async throws {
        let scene = Scene.http2Answering { peer, request in
            guard request.path == "/reset" else { return try await peer.respond(to: request, "next") }
            try await peer.begin(request, "half", fields: [("content-length", "9")])
            try await peer.send(.reset(request.stream, HTTP2Code.internalError))
        }
        let failure = await scene.error(of: "/reset")
        #expect(failure?.ending == Ending(.truncated(received: 4, expected: 9), in: .body))
        #expect(try await scene.get("/next") == Answer(text: "next", isReused: true))
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a server that requires HTTP/1.1 gets it, on another connection`() async throws {
        let target = Journal<String>()
        let scene = Scene.http2 { peer in
            guard peer.number == 1 else {
                guard let request = try await peer.connection.readRequest() else { return }
                target.note("\(request.method.rawValue) \(request.target) \(request.text)")
                try await peer.connection.send(.response(body: "older"))
                return await peer.connection.waitForEnd()
            }
            try await peer.handshake()
            try await peer.serve { request in
                try await peer.send(.reset(request.stream, HTTP2Code.http11Required))
            }
        }
        let reply = try await scene.reply(to: Self.request(.post, "/path"))
        #expect(reply.response.httpVersion == .http11)
        #expect(try await reply.body.text() == "older")
        #expect(target.all == ["POST /path body"])
        #expect(scene.connector.attemptCount == 2)
        try await scene.expectSettled(idle: 2)
    }
}
