// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Tern
import TernConnections
import TernTesting
import TernTransport
import TestSupport
import Testing

@testable import TernCommand

@Suite("The limit of the rate", .hangLimit)
struct RateLimitTests {
    private static func instant(_ milliseconds: Int64) -> ClockInstant {
        ClockInstant(nanoseconds: milliseconds * 1_000_000)
    }

    // MARK: Decisions

    @Test func `each piece takes its time at the limit`() {
        var machine = RateLimitStateMachine(bytesPerSecond: 1000)
        let admissions: [(now: Int64, byteCount: Int, instant: Int64)] = [
            (5000, 100, 5000), (5000, 100, 5100), (5150, 50, 5200), (5250, 100, 5250), (5250, 1, 5350), (5400, 1, 5400),
        ]
        for (now, byteCount, instant) in admissions {
            #expect(machine.admit(byteCount, at: Self.instant(now)) == Self.instant(instant))
        }
    }

    @Test func `late pieces catch up on a second, and no more`() {
        var machine = RateLimitStateMachine(bytesPerSecond: 1000)
        #expect(machine.admit(100, at: Self.instant(0)) == Self.instant(0))
        for now in [Int64(1_000), 60_000] {
            var machine = machine
            var count = 0
            while machine.admit(100, at: Self.instant(now)) == Self.instant(now) { count += 1 }
            #expect(count == (now == 1_000 ? 10 : 11))
        }
    }

    @Test func `no time is lost by rounding`() {
        var machine = RateLimitStateMachine(bytesPerSecond: 3)
        let instants = (0..<7).map { _ in machine.admit(1, at: Self.instant(0)).nanoseconds }
        #expect(instants == [0, 333_333_333, 666_666_666, 1_000_000_000, 1_333_333_333, 1_666_666_666, 2_000_000_000])
        var fast = RateLimitStateMachine(bytesPerSecond: 7 << 30)
        for _ in 0..<(7 << 14) { _ = fast.admit(64 << 10, at: Self.instant(0)) }
        #expect(fast.admit(1, at: Self.instant(0)) == Self.instant(1000))
    }

    @Test func `a piece takes a tenth of a second, within limits`() {
        let lengths = [
            1: 1, 9: 1, 10: 1, 20: 2, 100 << 10: 10 << 10, 655_360: 64 << 10, 1 << 30: 64 << 10, .max: 64 << 10,
        ]
        for (rate, length) in lengths {
            var machine = RateLimitStateMachine(bytesPerSecond: rate)
            #expect(machine.maximumPieceByteCount == length)
            #expect(machine.admit(length, at: Self.instant(0)) == Self.instant(0))
            #expect(machine.admit(length, at: Self.instant(0)) >= Self.instant(0))
        }
        #expect(RateLimitStateMachine(bytesPerSecond: 0).maximumPieceByteCount == 1)
    }

    @Test func `in any time no more bytes pass than the limit and the credit allow`() {
        var generator = SeededGenerator(seed: 43)
        for rate in [1, 10, 999, 100_000] {
            var machine = RateLimitStateMachine(bytesPerSecond: rate)
            var passed: [(instant: ClockInstant, byteCount: Int)] = []
            var now = Self.instant(0)
            for _ in 0..<300 {
                now = now.advanced(by: .milliseconds(Int.random(in: 0...400, using: &generator)))
                let count = Int.random(in: 1...machine.maximumPieceByteCount, using: &generator)
                let instant = machine.admit(count, at: now)
                #expect(instant >= now)
                now = instant
                passed.append((instant, count))
            }
            var excess = -Double.infinity
            for (index, first) in passed.enumerated() {
                var sum = 0
                for piece in passed[index...] {
                    sum += piece.byteCount
                    let seconds = Double(piece.instant.nanoseconds - first.instant.nanoseconds) / 1e9
                    let most = Double(rate) * (seconds + 1) + Double(machine.maximumPieceByteCount)
                    excess = max(excess, Double(sum) - most)
                }
            }
            #expect(excess <= 1)
        }
    }

    static let rates: [(text: String, rate: Int?)] = [
        ("0", nil), ("1", 1), ("100K", 100 << 10), ("3m", 3 << 20), ("1G", 1 << 30), ("2t", 2 << 40), ("1P", 1 << 50),
    ]

    @Test(arguments: rates)
    func `a rate has curl's units`(text: String, rate: Int?) throws {
        #expect(try #require(RateArgument(argument: text)).bytesPerSecond == rate)
    }

    @Test(arguments: ["", "-1", "K", "0K", "1X", "1.5M", "9999999P", "99999999999999999999", "1 K"])
    func `another text is no rate`(text: String) {
        #expect(RateArgument(argument: text) == nil)
    }

    // MARK: Bodies

    private static func client(_ rate: Int, _ transport: ScriptedTransport, _ clock: ManualClock) -> Client {
        var configuration = Client.Configuration()
        configuration.attemptInterceptors = [RateLimit(bytesPerSecond: rate)]
        configuration.timeouts = Timeouts()
        return Client(configuration: configuration, transport: transport, clock: clock)
    }

    @Test func `a response is delivered in pieces, each in its time`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(.response(body: "abcdefgh"))
        let (bytes, _) = try await Self.client(30, transport, clock).bytes(for: Request(.get, "http://a/"))
        let reading = Task {
            var pieces: [String] = []
            for try await piece in bytes.chunks { pieces.append(String(decoding: piece, as: UTF8.self)) }
            return pieces
        }
        for _ in 0..<2 {
            try await clock.waitForScheduled(in: .milliseconds(100))
            clock.advance(by: .milliseconds(100))
        }
        #expect(try await reading.value == ["abc", "def", "gh"])
    }

    @Test func `the time limit of the call ends a wait`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(.response(body: "abcdefgh"))
        let request = Request(.get, "http://a/").timeout(.milliseconds(1500))
        let client = Self.client(1, transport, clock)
        let data = Task { try await client.data(for: request) }
        try await clock.waitForScheduled(in: .seconds(1))
        clock.advance(by: .seconds(1))
        try await clock.waitForScheduled(in: .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        let error = await #expect(throws: ClientError.self) { try await data.value }
        guard case .timedOut(.call, _, _)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
    }

    @Test func `cancelling ends a wait`() async throws {
        let clock = ManualClock()
        let client = Self.client(1, ScriptedTransport(.response(body: "abcdefgh")), clock)
        let data = Task { try await client.data(for: Request(.get, "http://a/")) }
        try await clock.waitForScheduled(in: .seconds(1))
        data.cancel()
        let error = await #expect(throws: ClientError.self) { try await data.value }
        guard case .cancelled? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
    }

    @Test func `a request is handed over in pieces, with the same length and the same bytes`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("woof", to: "dog.txt")
        var multipart = Multipart()
        multipart = multipart.part(.init(name: "dog", file: folder.file("dog.txt")))
        let form = multipart.field("a", "b")
        let bodies: [(body: RequestBody, length: Int64?)] = [
            (.data(Data("abcdefg".utf8)), 7), (.file(folder.file("dog.txt")), 4),
            (.stream([Data("ab".utf8), Data(), Data("cdefg".utf8)].async), nil), (.data(Data()), 0),
        ]
        for (body, length) in bodies {
            let (pieces, sentLength) = try await Self.sent(body)
            #expect(sentLength == length)
            #expect(pieces.allSatisfy { $0.count <= 3 && !$0.isEmpty })
            let text = String(decoding: pieces.joined(), as: UTF8.self)
            #expect(text == (length == 4 ? "woof" : length == 0 ? "" : "abcdefg"))
        }
        var request = Request(.post, "http://a/").body(multipart: form)
        let body = try #require(request.body)
        request.body = nil
        let (pieces, length) = try await Self.sent(body)
        let bytes = Data(pieces.joined())
        #expect(length == Int64(bytes.count) && String(decoding: bytes, as: UTF8.self).contains("woof\r\n"))
    }

    @Test func `a request is handed over in pieces, each in its time`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(.response())
        var request = Request(.post, "http://a/")
        request.body = .data(Data("abcdefgh".utf8))
        _ = try await Self.client(30, transport, clock).data(for: request)
        guard case .stream(let stream)? = transport.calls.first?.request.body?.content else {
            Issue.record("the body has no pieces")
            return
        }
        let reading = Task {
            let reader = stream.makeReader()
            var pieces: [String] = []
            while let piece = try await reader.next() { pieces.append(String(decoding: piece, as: UTF8.self)) }
            return pieces
        }
        for _ in 0..<2 {
            try await clock.waitForScheduled(in: .milliseconds(100))
            clock.advance(by: .milliseconds(100))
        }
        #expect(try await reading.value == ["abc", "def", "gh"])
    }

    /// Sends a body, and returns the pieces that the transport reads, and the length that it announces.
    private static func sent(_ body: RequestBody) async throws -> (pieces: [Data], length: Int64?) {
        let clock = ManualClock()
        let transport = ScriptedTransport(.response())
        var request = Request(.post, "http://a/")
        request.body = body
        _ = try await Self.client(30, transport, clock).data(for: request)
        let limited = try #require(transport.calls.first?.request.body)
        guard case .stream(let stream) = limited.content else { return ([], nil) }
        #expect(limited.contentType == body.contentType)
        let reading = Task {
            let reader = stream.makeReader()
            var pieces: [Data] = []
            while let piece = try await reader.next() { pieces.append(piece) }
            return pieces
        }
        let finished = Flag()
        let watching = Task {
            _ = await reading.result
            finished.raise()
        }
        while !finished.isRaised, !Task.isCancelled {
            clock.advance(by: .milliseconds(100))
            await Task.yield()
        }
        await watching.value
        return (try await reading.value, stream.length)
    }
}

extension Array where Element == Data {
    /// The pieces as a stream.
    fileprivate var async: AsyncStream<Data> {
        AsyncStream { continuation in
            for piece in self { continuation.yield(piece) }
            continuation.finish()
        }
    }
}
