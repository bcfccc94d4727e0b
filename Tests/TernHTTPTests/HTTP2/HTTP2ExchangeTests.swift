// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP
import TernHTTP2
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("HTTP/2: responses", .hangLimit)
struct HTTP2ExchangeTests {
    @Test func `a response that comes in one piece`() async throws {
        let scene = Scene.http2Answering { peer, request in try await peer.respond(to: request, "hello") }
        let reply = try await scene.reply()
        #expect(reply.response.httpVersion == .http2)
        #expect(try await reply.body.text() == "hello")
        #expect(try await scene.answer() == Answer(text: "hello", isReused: true))
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `the status and the fields of a response`() async throws {
        let fields = [("server", "birds"), ("x-one", "first"), ("x-one", "second"), ("content-length", "2")]
        let scene = Scene.http2Answering { peer, request in
            try await peer.respond(to: request, "no", status: 404, fields: fields)
        }
        let reply = try await scene.reply()
        #expect(reply.response.statusCode == 404)
        #expect(reply.response.contentLength == 2)
        let received = reply.response.fields.map { HTTP2Line($0.name.canonicalName, $0.value) }
        #expect(received == fields.map { HTTP2Line($0.0, $0.1) })
        #expect(try await reply.body.text() == "no")
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a response to HEAD has no body, whatever it announces`() async throws {
        let scene = Scene.http2Answering { peer, request in
            try await peer.respond(to: request, fields: [("content-length", "5")])
        }
        let reply = try await scene.reply(to: Request(.head, "http://test/"))
        #expect(reply.response.contentLength == 5)
        #expect(try await reply.body.text() == "")
        scene.expectNoLeak(idle: 1)
    }

    @Test(arguments: [204, 304, 200])
    func `a response without content`(status: Int) async throws {
        let scene = Scene.http2Answering { peer, request in try await peer.respond(to: request, status: status) }
        #expect(try await scene.answer() == Answer(status: status, text: ""))
        scene.expectNoLeak(idle: 1)
    }

    @Test func `an empty frame ends a response, too`() async throws {
        let mayEnd = Suspension<Void>()
        let scene = Scene.http2Answering { peer, request in
            try await peer.begin(request)
            await mayEnd.wait(onCancel: ())
            try await peer.end(request)
        }
        let reply = try await scene.reply()
        mayEnd.resume(with: ())
        #expect(try await reply.body.text() == "")
        scene.expectNoLeak(idle: 1)
    }

    @Test(arguments: [nil, 0, 1, 255] as [UInt8?])
    func `a body in many frames, padded or not`(padding: UInt8?) async throws {
        let pieces = (0..<100).map { [UInt8](repeating: UInt8($0), count: 1 + $0 * 10) }
        let scene = Scene.http2Answering { peer, request in
            try await peer.begin(request)
            for piece in pieces { try await peer.send(.data(request.stream, piece, padding: padding)) }
            try await peer.end(request)
        }
        var reader = try await scene.reply().body.makeReader()
        var received: [UInt8] = []
        while let bytes = try await reader.next() { received += bytes.readableBytesView }
        expectEqual(received, pieces.flatMap { $0 })
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a body that is longer than all windows`() async throws {
        let content = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let scene = Scene.http2Answering { peer, request in
            try await peer.begin(request)
            // The windows are those that the client announces before the first request.
            let initial = FlowPolicy().initialStreamWindowByteCount
            var windows = [0: FlowPolicy().initialConnectionWindowByteCount, request.stream: initial]
            var rest = content[...]
            while !rest.isEmpty {
                let room = min(windows[0] ?? 0, windows[request.stream] ?? 0, 16 << 10)
                let piece = Array(rest.prefix(room))
                if piece.isEmpty {
                    guard let frame = try await peer.nextFrame() else { return }
                    if case .windowUpdate(let stream, let increment) = frame {
                        windows[stream, default: 0] += increment
                    }
                    continue
                }
                rest = rest.dropFirst(piece.count)
                for stream in windows.keys { windows[stream, default: 0] -= piece.count }
                try await peer.send(.data(request.stream, piece, endsStream: rest.isEmpty))
            }
        }
        var reader = try await scene.reply().body.makeReader()
        var received: [UInt8] = []
        while let bytes = try await reader.next(atLeast: 10_000) { received += bytes.readableBytesView }
        expectEqual(received, content)
        scene.expectNoLeak(idle: 1)
    }

    // MARK: Trailers and interim responses

    @Test func `trailers are there when the body was read, and not before`() async throws {
        let mayEnd = Suspension<Void>()
        let scene = Scene.http2Answering { peer, request in
            try await peer.begin(request, "hello")
            await mayEnd.wait(onCancel: ())
            let trailers = [("x-sum", "7"), ("content-length", "9"), ("etag", "\"1\"")]
            try await peer.send(.headers(request.stream, trailers, endsStream: true))
        }
        let reply = try await scene.reply()
        #expect(reply.response.trailers == nil)
        mayEnd.resume(with: ())
        #expect(try await reply.body.text() == "hello")
        let trailers = try #require(reply.response.trailers)
        #expect(
            trailers.map { HTTP2Line($0.name.canonicalName, $0.value) }
                == [HTTP2Line("x-sum", "7"), HTTP2Line("etag", "\"1\"")]
        )
        scene.expectNoLeak(idle: 1)
    }

    @Test func `trailers that come with all the rest`() async throws {
        let scene = Scene.http2Answering { peer, request in
            try await peer.send(
                .headers(request.stream, [(":status", "200")]),
                .data(request.stream, Array("hello".utf8)),
                .headers(request.stream, [("etag", "\"1\"")], endsStream: true)
            )
        }
        let reply = try await scene.reply()
        #expect(try await reply.body.text() == "hello")
        let trailers: HTTPFields = [.eTag: "\"1\""]
        #expect(reply.response.trailers == trailers)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `an observer learns the number of the stream, before the head is sent`() async throws {
        let scene = Scene.http2Answering { peer, request in try await peer.respond(to: request, "fine") }
        for number in [1, 3, 5] {
            let observer = RecordingObserver()
            _ = try await scene.answer(observer: observer)
            let index = try #require(observer.milestones.firstIndex(of: .streamOpened(number: number)))
            guard case .headSent? = observer.milestones.dropFirst(index + 1).first else {
                Issue.record("\(observer.milestones)")
                return
            }
        }
    }

    @Test func `interim responses are told, and the final one is the answer`() async throws {
        let scene = Scene.http2Answering { peer, request in
            try await peer.send(
                .headers(request.stream, [(":status", "103"), ("link", "</style.css>")]),
                .headers(request.stream, [(":status", "102")])
            )
            try await peer.respond(to: request, "fine")
        }
        let observer = RecordingObserver()
        #expect(try await scene.answer(observer: observer) == Answer(text: "fine"))
        #expect(observer.informational == [103, 102])
        scene.expectNoLeak(idle: 1)
    }

    // MARK: The head of a request

    @Test func `the fields of a request, and none that belongs to HTTP/1.1`() async throws {
        let received = Journal<HTTP2Headers>()
        let scene = Scene.http2Answering { peer, request in
            received.note(request)
            try await peer.respond(to: request)
        }
        var request = Request(.get, "http://test:8080/path?a=b")
        request.fields[.connection] = "keep-alive"
        request.fields[.accept] = "text/plain"
        let mixed = try #require(HTTPField.Name("X-Mixed"))
        request.fields[mixed] = "Yes"
        _ = try await scene.answer(to: request)
        let headers = try #require(await received.wait(for: 1).first)
        #expect(headers.stream == 1 && headers.endsStream)
        #expect(
            Set(headers.lines.prefix(4)) == [
                HTTP2Line(":method", "GET"), HTTP2Line(":scheme", "http"), HTTP2Line(":authority", "test:8080"),
                HTTP2Line(":path", "/path?a=b"),
            ]
        )
        let names = headers.lines.map(\.name)
        #expect(!names.dropFirst(4).contains { $0.hasPrefix(":") })
        #expect(names.allSatisfy { $0 == $0.lowercased() })
        #expect(!names.contains("host") && !names.contains("connection") && !names.contains("content-length"))
        #expect(headers["accept"] == "text/plain" && headers["x-mixed"] == "Yes")
    }

    @Test func `a Host of the caller's own is the authority`() async throws {
        let scene = Scene.http2Answering { peer, request in
            try await peer.respond(to: request, "\(request[":authority"] ?? "") \(request["host"] ?? "none")")
        }
        var request = Request(.get, "http://test/")
        let host = try #require(HTTPField.Name("Host"))
        request.fields[host] = "other"
        #expect(try await scene.answer(to: request).text == "other none")
    }

    @Test func `content is delivered before its frame is complete`() async throws {
        let hasRead = Suspension<Void>()
        let scene = Scene.http2Answering { peer, request in
            try await peer.begin(request)
            let frame = HTTP2Output.data(request.stream, Array("onetwo".utf8), endsStream: true).bytes
            try await peer.connection.write(Array(frame.dropLast(3)))
            try await peer.connection.write(Array(frame.suffix(3).prefix(1)))
            await hasRead.wait(onCancel: ())
            try await peer.connection.write(Array(frame.suffix(2)))
        }
        var reader = try await scene.reply().body.makeReader()
        var text = ""
        while text.count < 4, let bytes = try await reader.next() { text += String(buffer: bytes) }
        #expect(text == "onet")
        hasRead.resume(with: ())
        while let bytes = try await reader.next() { text += String(buffer: bytes) }
        #expect(text == "onetwo")
    }

    @Test func `streams have odd numbers that rise`() async throws {
        let scene = Scene.http2Answering { peer, request in try await peer.respond(to: request, "\(request.stream)") }
        for number in [1, 3, 5] { #expect(try await scene.answer().text == "\(number)") }
    }
}
