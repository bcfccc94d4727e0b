// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("The life of an EventStream", .hangLimit)
struct EventStreamLifeTests {
    private static let open: @Sendable (ReceivedRequest) -> ScriptedResponse = { _ in
        .openEvents("data: 1\n\ndata: 2\n\nda")
    }

    // MARK: Limits

    @Test func `an event over the limit fails with its position, and frees the connection`() async throws {
        let scene = StreamScene { _ in
            .openEvents("data: 1\n\n: a comment\n\nevent: two\ndata: 2\n\ndata: 01234567890123456789")
        }
        let options = EventStreamOptions(maximumEventByteCount: 20)
        let stream = try await scene.client.events(from: testURL, options: options)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        #expect(try await events.next()?.event == "two")
        do throws(ClientError) {
            _ = try await events.next()
            Issue.record("the event is too long")
        } catch {
            guard case .valueTooLong(limit: 20, at: let position, let context) = error else { throw error }
            #expect(position == StreamPosition(index: 2, byteOffset: 42))
            #expect(context.phase == .body && context.response?.status == .ok)
            #expect(!error.isRetryable)
        }
        #expect(try await events.next() == nil)
        try await scene.waitForNoExchange()
        withExtendedLifetime(stream) {}
    }

    @Test func `the limit holds for each event, and not for all`() async throws {
        let scene = StreamScene { _ in .events(String(repeating: "data: 0123456789\n\n", count: 100)) }
        let options = EventStreamOptions(maximumEventByteCount: 16)
        let stream = try await scene.client.events(from: testURL, options: options)
        let (events, error) = await collected(stream)
        #expect(events.count == 100)
        #expect(error == nil)
    }

    @Test func `many short lines of one event count together`() async throws {
        let scene = StreamScene { _ in .openEvents(String(repeating: "data: x\n", count: 100)) }
        let options = EventStreamOptions(maximumEventByteCount: 100)
        let stream = try await scene.client.events(from: testURL, options: options)
        let (events, error) = await collected(stream)
        #expect(events.isEmpty)
        #expect(error?.fault == .valueTooLong(StreamPosition(index: 0, byteOffset: 0)))
    }

    // MARK: Iterators

    @Test func `a second iterator does not begin again, even if the whole body is there`() async throws {
        let scene = StreamScene { _ in .events("data: 1\n\ndata: 2\n\ndata: 3\n\n") }
        let stream = try await scene.client.events(from: testURL)
        var first = stream.makeAsyncIterator()
        #expect(try await first.next()?.data == "1")
        #expect(await collected(stream).values.isEmpty)
        #expect(try await first.next()?.data == "2")
    }

    @Test func `after the final event, a second loop is told that nothing is left`() async throws {
        let scene = StreamScene { _ in .openEvents("data: [DONE]\n\ndata: 2\n\n") }
        let stream = try await scene.client.events(from: testURL, until: .data("[DONE]"))
        let first = await collected(stream)
        #expect(first.values.isEmpty && first.error == nil)
        let second = await collected(stream)
        #expect(second.values.isEmpty)
        #expect(second.error?.fault == .bodyMisused(.discarded))
    }

    // MARK: Silence

    /// A request that ends after 20 seconds of silence: before HTTP/2 asks whether the server is there.
    private static let idle = Request(url: testURL).timeouts(.patient(idle: .seconds(20)))

    @Test func `a server that is silent for too long is given up`() async throws {
        let scene = StreamScene(response: Self.open)
        let stream = try await scene.client.events(for: Self.idle)
        let reading = Task<(values: [ServerSentEvent], error: ClientError?), any Error> { await collected(stream) }
        // Over HTTP/2, the body may arrive while a read already waits, whose timer then does not show that the next
        // read has begun.
        let (events, error) = try await scene.clock.advance(until: reading).get()
        #expect(events.data == ["1", "2"])
        #expect(error?.ending == .timedOut(.idle, after: .seconds(20), in: .body))
        try await scene.waitForNoExchange()
    }

    @Test(arguments: [": keep\n\n", ":", "data: more\n", "\n"])
    func `every byte restarts the time, also of a comment`(piece: String) async throws {
        let sends = Flag()
        let scene = StreamScene { connection, _ in
            try await connection.begin()
            try await connection.chunk("data: 1\n\n")
            for count in 1...3 {
                await sends.wait(for: count)
                try await connection.chunk(piece)
            }
            await sends.wait(for: 4)
            try await connection.chunk("\ndata: end\n\n")
            try await connection.end()
            return true
        }
        let delegate = RecordingDelegate()
        let stream = try await scene.client.events(for: Self.idle, delegate: delegate)
        let reading = Task { await collected(stream) }
        for count in 0..<4 {
            let byteCount = Int64(9 + count * piece.utf8.count)
            try await eventually("the client has read \(byteCount) bytes") {
                delegate.events.contains {
                    if case .received(let part) = $0 { part.byteCount >= byteCount } else { false }
                }
            }
            // If the time had not started again, it would be over with the second step.
            scene.clock.advance(by: .seconds(15))
            sends.raise()
        }
        let (events, error) = await reading.value
        #expect(events.last?.data == "end")
        #expect(error == nil)
    }

    @Test func `the limit of the call ends a stream that goes on`() async throws {
        let scene = StreamScene(response: Self.open)
        let stream = try await scene.client.events(for: Request(url: testURL).timeout(.seconds(9)))
        let reading = Task { await collected(stream) }
        try await scene.clock.waitForScheduled(in: .seconds(9))
        scene.clock.advance(by: .seconds(9))
        #expect(await reading.value.error?.fault == .timedOut(.call))
    }

    // MARK: Leaving

    @Test func `cancellation ends the wait for an event, and frees the connection`() async throws {
        let scene = StreamScene(response: Self.open)
        let begun = Flag()
        let reading = Task {
            for try await _ in try await scene.client.events(from: testURL) { begun.raise() }
        }
        await begun.wait(for: 2)
        reading.cancel()
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(error?.isCancellation == true)
        try await scene.waitForNoExchange()
    }

    @Test func `after a cancellation the sequence is over, although the stream lives`() async throws {
        let scene = StreamScene(response: Self.open)
        let stream = try await scene.client.events(from: testURL)
        let begun = Flag()
        let reading = Task { () -> [String?] in
            var events = stream.makeAsyncIterator()
            var seen: [String?] = []
            for _ in 0..<2 {
                seen.append(try await events.next()?.data)
                begun.raise()
            }
            await #expect(throws: ClientError.self) { try await events.next() }
            seen.append(try await events.next()?.data)
            return seen
        }
        await begun.wait(for: 2)
        reading.cancel()
        #expect(try await reading.value == ["1", "2", nil])
        try await scene.waitForNoExchange()
        withExtendedLifetime(stream) {}
    }

    @Test func `cancellation ends the wait for the response`() async throws {
        let scene = StreamScene { _ in .stall }
        let calling = Task {
            await failure { () async throws(ClientError) in try await scene.client.events(from: testURL) }
        }
        await scene.waitForRequests(1)
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
        try await scene.waitForNoExchange()
    }

    @Test func `leaving the loop frees the connection`() async throws {
        let scene = StreamScene(response: Self.open)
        do {
            let stream = try await scene.client.events(from: testURL)
            for try await event in stream where event.data == "1" { break }
        }
        try await scene.waitForNoExchange()
        if !TestedVersion.isHTTP2 { try await scene.connector.waitForServers() }
    }

    @Test func `a stream that is not read frees the connection`() async throws {
        let scene = StreamScene(response: Self.open)
        do { _ = try await scene.client.events(from: testURL) }
        try await scene.waitForNoExchange()
    }

    @Test func `the client may go while a stream is read`() async throws {
        let goesOn = Flag()
        var scene: StreamScene? = StreamScene { connection, _ in
            try await connection.begin()
            try await connection.chunk("data: 1\n\n")
            await goesOn.wait()
            try await connection.chunk("data: 2\n\n")
            try await connection.end()
            return true
        }
        let connector = try #require(scene?.connector)
        let stream = try #require(try await scene?.client.events(from: testURL))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        scene = nil
        goesOn.raise()
        #expect(try await events.next()?.data == "2")
        #expect(try await events.next() == nil)
        withExtendedLifetime(connector) {}
    }

    // MARK: Back-pressure

    @Test func `a slow reader stops the server`() async throws {
        let (count, size) = (8000, 1 << 10)
        let sent = Flag()
        let scene = StreamScene(capacity: 16 << 10) { connection, _ in
            try await connection.begin()
            let filler = String(repeating: "x", count: size)
            for number in 0..<count {
                try await connection.chunk("data: \(number)\(filler)\n\n")
                sent.raise()
            }
            try await connection.end()
            return true
        }
        let stream = try await scene.client.events(from: testURL)
        var events = stream.makeAsyncIterator()
        // The buffers of both ends, and over HTTP/2 a window of 1 MiB and the buffers of the gateway.
        let slack = TestedVersion.isHTTP2 ? 2 << 10 : 160
        var taken = 0
        while let event = try await events.next() {
            #expect(event.data.hasPrefix("\(taken)x"))
            taken += 1
            // The server has time to send too much, if it can.
            if [1, 2, 500].contains(taken) { try await Self.waitForRest(of: sent) }
            if taken <= 500 { #expect(sent.count <= taken + slack) }
        }
        #expect(taken == count)
        #expect(scene.connector.openCount == 1)
    }

    /// Waits until a flag has not been raised for some time.
    private static func waitForRest(of flag: Flag) async throws {
        var (last, restCount) = (-1, 0)
        while restCount < 20 {
            try await Task.sleep(for: .milliseconds(1))
            restCount = flag.count == last ? restCount + 1 : 0
            last = flag.count
        }
    }
}
