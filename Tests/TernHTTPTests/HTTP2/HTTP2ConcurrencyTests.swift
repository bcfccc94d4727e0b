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

@Suite("HTTP/2: many calls on one connection", .hangLimit)
struct HTTP2ConcurrencyTests {
    private static func oneConnection() -> HTTPTransportConfiguration {
        .priorKnowledge.with { $0.pool.maximumConnectionsPerHost = 1 }
    }

    @Test func `100 calls at once are answered in any order`() async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            var requests: [HTTP2Headers] = []
            while requests.count < 100, let request = try await peer.nextRequest() { requests.append(request) }
            for request in requests.reversed() { try await peer.respond(to: request, request.path) }
            await peer.connection.waitForEnd()
        }
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { () async throws in #expect(try await scene.get("/\(number)").text == "/\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `frames of many responses may be mixed`() async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            var requests: [HTTP2Headers] = []
            while requests.count < 10, let request = try await peer.nextRequest() { requests.append(request) }
            for request in requests { try await peer.begin(request) }
            for number in 0..<20 {
                for request in requests { try await peer.send(.data(request.stream, Array("\(number),".utf8))) }
            }
            for request in requests { try await peer.end(request, request.path) }
            await peer.connection.waitForEnd()
        }
        let numbers = (0..<20).map { "\($0)," }.joined()
        try await withThrowingTaskGroup { group in
            for number in 0..<10 {
                group.addTask { () async throws in
                    #expect(try await scene.get("/\(number)").text == "\(numbers)/\(number)")
                }
            }
            try await group.waitForAll()
        }
        scene.expectNoLeak(idle: 1)
    }

    // MARK: The server's limit

    /// Answers `/held` with a head, and ends it when the test says so; answers others with the connection's number.
    private func holdingServer(
        _ configuration: HTTPTransportConfiguration = .priorKnowledge,
        settings: [HTTP2Setting],
        mayEnd: Suspension<Void>
    ) -> Scene {
        Scene.http2Answering(configuration, settings: settings) { peer, request in
            guard request.path == "/held" else { return try await peer.respond(to: request, "\(peer.number)") }
            try await peer.begin(request)
            await mayEnd.wait(onCancel: ())
            try await peer.end(request, "held")
        }
    }

    @Test func `calls beyond the server's limit go to another connection`() async throws {
        let mayEnd = Suspension<Void>()
        let scene = self.holdingServer(settings: [.maximumStreams(1)], mayEnd: mayEnd)
        #expect(try await scene.get("/first").text == "1")
        let held = try await scene.head(of: "/held")
        #expect(try await scene.get("/other").text == "2")
        #expect(scene.connector.attemptCount == 2)
        mayEnd.resume(with: ())
        #expect(try await held.body.text() == "held")
        scene.expectNoLeak(idle: 2)
    }

    @Test func `calls beyond the server's limit wait where the host may have no other connection`() async throws {
        let mayEnd = Suspension<Void>()
        let scene = self.holdingServer(Self.oneConnection(), settings: [.maximumStreams(1)], mayEnd: mayEnd)
        _ = try await scene.get("/first")
        let held = try await scene.head(of: "/held")
        let other = Task { try await scene.get("/other") }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        mayEnd.resume(with: ())
        #expect(try await held.body.text() == "held")
        #expect(try await other.value == Answer(text: "1", isReused: true))
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a limit that is raised lets waiting calls go`() async throws {
        let (mayRaise, mayEnd) = (Suspension<Void>(), Suspension<Void>())
        let scene = Scene.http2(Self.oneConnection()) { peer in
            try await peer.handshake(settings: [.maximumStreams(1)])
            guard let first = try await peer.nextRequest() else { return }
            try await peer.respond(to: first)
            guard let held = try await peer.nextRequest() else { return }
            try await peer.begin(held)
            await mayRaise.wait(onCancel: ())
            try await peer.send(.settings([.maximumStreams(2)]))
            guard let other = try await peer.nextRequest() else { return }
            try await peer.respond(to: other, "other")
            await mayEnd.wait(onCancel: ())
            try await peer.end(held, "held")
            await peer.connection.waitForEnd()
        }
        _ = try await scene.get("/first")
        let held = try await scene.head(of: "/held")
        let other = Task { try await scene.get("/other") }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        mayRaise.resume(with: ())
        #expect(try await other.value.text == "other")
        mayEnd.resume(with: ())
        #expect(try await held.body.text() == "held")
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a limit that is lowered holds calls back`() async throws {
        let mayEnd = Suspension<Void>()
        let scene = Scene.http2Answering(Self.oneConnection(), settings: [.maximumStreams(5)]) { peer, request in
            switch request.path {
            case "/lower":
                try await peer.send(.settings([.maximumStreams(1)]))
                try await peer.roundTrip()
                try await peer.respond(to: request)
            case "/held":
                try await peer.begin(request)
                await mayEnd.wait(onCancel: ())
                try await peer.end(request, "held")
            default: try await peer.respond(to: request, "other")
            }
        }
        _ = try await scene.get("/lower")
        let held = try await scene.head(of: "/held")
        let other = Task { try await scene.get("/other") }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        mayEnd.resume(with: ())
        #expect(try await held.body.text() == "held")
        #expect(try await other.value.text == "other")
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a server that allows no streams for a while gets none`() async throws {
        let mayRaise = Suspension<Void>()
        let scene = Scene.http2(Self.oneConnection()) { peer in
            try await peer.handshake()
            guard let first = try await peer.nextRequest() else { return }
            try await peer.send(.settings([.maximumStreams(0)]))
            try await peer.roundTrip()
            try await peer.respond(to: first)
            await mayRaise.wait(onCancel: ())
            try await peer.send(.settings([.maximumStreams(10)]))
            try await peer.serve { request in try await peer.respond(to: request, "second") }
        }
        _ = try await scene.get("/first")
        let second = Task { try await scene.get("/second") }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        mayRaise.resume(with: ())
        #expect(try await second.value.text == "second")
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    // MARK: Fairness

    @Test func `a body that no task reads does not hold up the others`() async throws {
        let long = String(repeating: "x", count: 400_000)
        let scene = Scene.http2Answering { peer, request in
            try await peer.respond(to: request, request.path == "/long" ? long : String(repeating: "y", count: 10_000))
        }
        let unread = try await scene.head(of: "/long")
        for _ in 0..<200 { #expect(try await scene.get("/short").text.utf8.count == 10_000) }
        expectEqual(try await unread.body.text(), long)
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `uploads share the window of the connection`() async throws {
        let (count, byteCount) = (8, 300_000)
        let leastAtFirstEnd = Journal<Int>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            var received: [Int: Int] = [:]
            var (requests, endedCount, opened) = ([HTTP2Headers](), 0, false)
            while endedCount < count, let frame = try await peer.nextFrame() {
                switch frame {
                case .headers(let headers):
                    requests.append(headers)
                    received[headers.stream, default: 0] += 0
                case .data(let stream, let bytes, let endsStream):
                    received[stream, default: 0] += bytes.count
                    try await peer.send(.windowUpdate(0, max(1, bytes.count)))
                    guard endsStream else { break }
                    endedCount += 1
                    if endedCount == 1 { leastAtFirstEnd.note(received.values.min() ?? 0) }
                default: break
                }
                // No stream can end before each has sent something.
                if !opened, requests.count == count, received.values.allSatisfy({ $0 > 0 }) {
                    opened = true
                    for request in requests { try await peer.send(.windowUpdate(request.stream, 1 << 20)) }
                }
            }
            for request in requests { try await peer.respond(to: request, "\(received[request.stream] ?? 0)") }
            await peer.connection.waitForEnd()
        }
        let request = Request(.post, "http://test/").body(data: Data(count: byteCount))
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask { () async throws in
                    #expect(try await scene.answer(to: request).text == "\(byteCount)")
                }
            }
            try await group.waitForAll()
        }
        #expect(leastAtFirstEnd.all.allSatisfy { $0 > byteCount / 4 }, "\(leastAtFirstEnd.all)")
        scene.expectNoLeak(idle: 1)
    }

    @Test func `calls without a body pass uploads that wait for the window`() async throws {
        let hasUpload = Flag()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            var upload: HTTP2Headers?
            while case .headers(let request)? = try await peer.wait(for: { $0.isRequest }) {
                guard request.endsStream else {
                    upload = request
                    hasUpload.raise()
                    continue
                }
                try await peer.respond(to: request, "quick")
                guard request.path == "/last", let upload else { continue }
                let content = try await peer.content(of: upload)
                try await peer.respond(to: upload, "\(content.bytes.count)")
            }
        }
        let request = Request(.post, "http://test/").body(data: Data(count: 300_000))
        let uploading = Task { try await scene.answer(to: request) }
        await hasUpload.wait()
        for _ in 0..<20 { #expect(try await scene.get("/").text == "quick") }
        #expect(try await scene.get("/last").text == "quick")
        #expect(try await uploading.value.text == "300000")
        scene.expectNoLeak(idle: 1)
    }
}
