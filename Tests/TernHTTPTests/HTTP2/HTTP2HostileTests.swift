// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernHTTP2
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Something that a server may not send, and what comes of it.
struct HTTP2Attack: Sendable, CustomTestStringConvertible {
    var name: String
    /// The section that forbids it.
    var section: String
    var frames: [HTTP2Output]

    var testDescription: String { self.name }

    init(_ name: String, _ section: String, _ frames: HTTP2Output...) {
        (self.name, self.section, self.frames) = (name, section, frames)
    }

    /// A flood: the same frame, many times.
    init(_ name: String, _ frame: HTTP2Output, count: Int, after first: [HTTP2Output] = []) {
        (self.name, self.section) = (name, "RFC 9113 §10.5")
        self.frames = first + Array(repeating: frame, count: count)
    }

    private static let head = HTTP2Output.headers(1, [(":status", "200")])
    private static let largest = 0x7FFF_FFFF

    /// Those that end the connection; the request is on stream 1.
    static let ofConnection: [HTTP2Attack] = [
        HTTP2Attack("PING flood", .ping(1), count: 1100),
        HTTP2Attack("SETTINGS flood", .settings(), count: 200),
        HTTP2Attack("flood of empty DATA", .data(1, []), count: 1100, after: [Self.head]),
        HTTP2Attack("flood of unknown frames", .frame(0x77, 1), count: 1100),
        HTTP2Attack("flood of WINDOW_UPDATE", .windowUpdate(0, 1), count: 2100),
        HTTP2Attack("a frame that is too long", "RFC 9113 §4.2", .frame(0, 1, [UInt8](repeating: 0, count: 16_385))),
        HTTP2Attack("a field of no table", "RFC 7541 §6.1", .frame(1, flags: 0x5, 1, [0x80])),
        HTTP2Attack("a truncated field block", "RFC 7541 §5.2", .frame(1, flags: 0x5, 1, [0x00, 0x05, 0x61])),
        HTTP2Attack("DATA on an idle stream", "RFC 9113 §5.1", .data(3, [1])),
        HTTP2Attack("HEADERS on an idle stream", "RFC 9113 §5.1", .headers(3, [(":status", "200")])),
        HTTP2Attack("a stream of the server", "RFC 9113 §5.1", .headers(2, [(":status", "200")])),
        HTTP2Attack("the window of the connection overflows", "RFC 9113 §6.9.1", .windowUpdate(0, Self.largest)),
        HTTP2Attack("a window is raised by nothing", "RFC 9113 §6.9", .windowUpdate(0, 0)),
        HTTP2Attack("a push", "RFC 9113 §6.6", .frame(5, flags: 0x4, 1, [0, 0, 0, 2, 0x88])),
        HTTP2Attack("PRIORITY_UPDATE", "RFC 9218 §7.1", .frame(16, 0, [0, 0, 0, 1] + Array("u=1".utf8))),
        HTTP2Attack("GOAWAY that takes back the one before", "RFC 9113 §6.8", .goAway(last: 1), .goAway(last: 3)),
        HTTP2Attack("CONTINUATION of nothing", "RFC 9113 §6.10", .frame(9, flags: 0x4, 1)),
        HTTP2Attack("an interrupted field block", "RFC 9113 §4.3", .frame(1, 1, [0x88]), .ping(1)),
        HTTP2Attack("DATA that is all padding", "RFC 9113 §6.1", Self.head, .frame(0, flags: 0x8, 1, [5, 0])),
        HTTP2Attack("an acknowledgement too many", "RFC 9113 §6.5.3", .settingsAck),
        HTTP2Attack("push is enabled", "RFC 9113 §6.5.2", .settings([HTTP2Setting(identifier: 2, value: 1)])),
    ]

    /// Those that end the stream only.
    static let ofStream: [HTTP2Attack] = [
        HTTP2Attack("the window of a stream overflows", "RFC 9113 §6.9.1", .windowUpdate(1, Self.largest)),
        HTTP2Attack("a window of a stream is raised by nothing", "RFC 9113 §6.9", .windowUpdate(1, 0)),
        HTTP2Attack("DATA before the head", "RFC 9113 §8.1", .data(1, [1])),
        HTTP2Attack("no status", "RFC 9113 §8.3.2", .headers(1, [("a", "b")], endsStream: true)),
        HTTP2Attack("a status of two digits", "RFC 9113 §8.3.2", .headers(1, [(":status", "20")], endsStream: true)),
        HTTP2Attack("an upgrade", "RFC 9113 §8.6", .headers(1, [(":status", "101")])),
        HTTP2Attack("an upper-case name", "RFC 9113 §8.2.1", .headers(1, [(":status", "200"), ("A", "b")])),
        HTTP2Attack("a field of HTTP/1.1", "RFC 9113 §8.2.2", .headers(1, [(":status", "200"), ("upgrade", "h3")])),
        HTTP2Attack("trailers without an end", "RFC 9113 §8.1", Self.head, .headers(1, [("a", "b")])),
        HTTP2Attack(
            "less content than announced",
            "RFC 9113 §8.1.1",
            .headers(1, [(":status", "200"), ("content-length", "9")]),
            .data(1, [1, 2, 3], endsStream: true)
        ),
        HTTP2Attack(
            "more content than announced",
            "RFC 9113 §8.1.1",
            .headers(1, [(":status", "200"), ("content-length", "2")]),
            .data(1, [1, 2, 3], endsStream: true)
        ),
    ]
}

@Suite("HTTP/2: servers that break the rules", .hangLimit)
struct HTTP2HostileTests {
    @Test(arguments: HTTP2Attack.ofConnection)
    func `the connection ends with the calls on it`(attack: HTTP2Attack) async throws {
        let codes = Journal<Bool>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard peer.number == 1 else {
                return try await peer.serve { request in try await peer.respond(to: request, "second") }
            }
            _ = try await peer.nextRequest()
            try? await peer.send(attack.frames)
            // The client says why before it closes.
            while let frame = try? await peer.nextFrame(isAnswered: false) {
                if case .goAway(_, let code) = frame { codes.note(code != HTTP2Code.noError) }
            }
            codes.note(true)
        }
        let failure = await scene.failure()
        #expect(failure?.fault == .protocolViolation(attack.section))
        #expect(await codes.wait(for: 1).allSatisfy { $0 })
        #expect(try await scene.answer().text == "second")
        try await scene.expectSettled(idle: 1)
    }

    @Test(arguments: HTTP2Attack.ofStream)
    func `the stream ends, and the connection serves other calls`(attack: HTTP2Attack) async throws {
        let resets = Journal<Int>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            _ = try await peer.nextRequest()
            try await peer.send(attack.frames)
            try await peer.serve(noting: resets) { request in try await peer.respond(to: request, "next") }
        }
        #expect(await scene.failure()?.fault == .protocolViolation(attack.section))
        #expect(await resets.wait(for: 1).count == 1)
        #expect(try await scene.answer() == Answer(text: "next", isReused: true))
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a first frame that is not SETTINGS`() async throws {
        let scene = Scene.http2 { peer in
            _ = try await peer.readEarlyRequest()
            try await peer.send(.ping(1))
            await peer.connection.waitForEnd()
        }
        #expect(await scene.failure()?.fault == .protocolViolation("RFC 9113 §3.4"))
        try await scene.expectSettled(idle: 0)
    }

    @Test func `a server that speaks HTTP/1.1`() async throws {
        let scene = Scene.http2 { peer in
            _ = try await peer.readEarlyRequest()
            try await peer.connection.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            await peer.connection.waitForEnd()
        }
        let failure = await scene.failure()
        if case .protocolViolation? = failure {} else { Issue.record("\(String(describing: failure))") }
        try await scene.expectSettled(idle: 0)
    }

    @Test func `more content than the window of a stream allows`() async throws {
        let resets = Journal<Int>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.begin(request)
            let count = FlowPolicy().initialStreamWindowByteCount + 50_000
            try await peer.send(.data(request.stream, [UInt8](repeating: 1, count: count)))
            try await peer.roundTrip()
            try await peer.serve(noting: resets) { request in try await peer.respond(to: request, "next") }
        }
        let reply = try await scene.reply()
        #expect(await resets.wait(for: 1).count == 1)  // no task has read anything
        await #expect(throws: ClientError.self) { try await reply.body.text() }
        #expect(try await scene.answer().text == "next")
    }

    @Test func `answers that a server does not read do not fill the memory`() async throws {
        let count = 100_000
        let configuration = HTTPTransportConfiguration.priorKnowledge.with { $0.http2.limits.floods.ping = 1_000_000 }
        let written = Flag()
        let scene = Scene.http2(configuration) { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            // The client stops to read when it has too many answers to send. Only then does a write have to wait.
            let isDone = Flag()
            let writing = Task {
                for _ in 0..<count / 100 {
                    try await peer.send(Array(repeating: HTTP2Output.ping(7), count: 100))
                    written.raise()
                }
                isDone.raise()
            }
            var (last, equalCount) = (0, 0)
            try await eventually("nothing more is written") {
                equalCount = written.count > 0 && written.count == last ? equalCount + 1 : 0
                last = written.count
                return equalCount == 200
            }
            #expect(isDone.count == 0, "the client has taken everything that it was asked")
            for _ in 0..<count { _ = try await peer.wait { $0 == .pingAck(7) } }
            try await writing.value
            try await peer.respond(to: request, "fine")
            await peer.connection.waitForEnd()
        }
        #expect(try await scene.answer().text == "fine")
        try await scene.expectSettled(idle: 1)
    }
}
