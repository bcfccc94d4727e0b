// SPDX-License-Identifier: Apache-2.0
import TernStreams
import TestSupport
import Testing

@Suite("Server-sent events")
struct EventDecoderTests {
    private static func expected(_ vector: EventVector) -> EventOutcome {
        EventOutcome(
            events: vector.events,
            lastEventID: vector.lastEventID,
            reconnectionTime: vector.reconnectionTime,
            isAtBoundary: EventReference(vector.bytes).outcome.isAtBoundary
        )
    }

    @Test(arguments: EventVector.all)
    func `§9.2.6 events are the same however the bytes are split`(_ vector: EventVector) {
        for split in everySplit(of: vector.bytes) {
            var decoder = EventDecoder(maximumEventByteCount: 1000)
            #expect(decoder.outcome(of: split) == Self.expected(vector), "split as \(split.map(\.count))")
        }
    }

    @Test(arguments: EventVector.all.filter { $0.bytes.count <= 40 })
    func `§9.2.6 events of a short input are the same for all pairs of cuts`(_ vector: EventVector) {
        for split in everyPairOfCuts(of: vector.bytes) {
            var decoder = EventDecoder(maximumEventByteCount: 1000)
            #expect(decoder.outcome(of: split) == Self.expected(vector), "split as \(split.map(\.count))")
        }
    }

    @Test(arguments: EventVector.all)
    func `a reference decoder agrees with every vector`(_ vector: EventVector) {
        #expect(EventReference(vector.bytes).outcome == Self.expected(vector))
    }

    @Test func `an event is given with the chunk that ends it`() throws {
        var decoder = EventDecoder(maximumEventByteCount: 100)
        #expect(try decoder.events(in: "data: on") == [])
        #expect(try decoder.events(in: "e\n") == [])
        #expect(try decoder.events(in: "\ndata: two\r\n\r") == [.init(data: "one"), .init(data: "two")])
        #expect(try decoder.events(in: "") == [])
        #expect(try decoder.events(in: "\n") == [])
        #expect(try decoder.events(in: "data: three\n\n") == [.init(data: "three")])
    }

    @Test func `the offset moves behind each event and to the end of the chunk`() throws {
        let chunk = Array("data:1\n\ndata:2\r\n\r\nda".utf8)
        var decoder = EventDecoder(maximumEventByteCount: 100)
        var offset = 0
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset)?.data == "1")
        #expect(offset == 8)
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset)?.data == "2")
        #expect(offset == 18)
        #expect(decoder.byteCount == 18)
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset) == nil)
        #expect(offset == 20)
        #expect(decoder.byteCount == 20)
    }

    @Test func `reading may begin in the middle of a chunk`() throws {
        let chunk = Array("data:0\n\ndata:1\n\n".utf8)
        var decoder = EventDecoder(maximumEventByteCount: 100)
        var offset = 8
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset)?.data == "1")
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset) == nil)
        #expect(decoder.byteCount == 8)
    }

    @Test func `an ID of an earlier connection stays in force until another comes`() throws {
        var decoder = EventDecoder(maximumEventByteCount: 100, lastEventID: "7")
        #expect(decoder.lastEventID == "7")
        #expect(try decoder.events(in: "data:a\n\nid:8\ndata:b\n") == [.init(data: "a", id: "7")])
        #expect(decoder.lastEventID == "7")
        #expect(try decoder.events(in: "\n") == [.init(data: "b", id: "8")])
        #expect(decoder.lastEventID == "8")
    }

    @Test func `a long value is the same in one chunk and in many`() {
        let data = String(repeating: "0123456789 äöü 🐦 ", count: 9000)
        let bytes = Array("event:a\ndata: \(data)\ndata:\(data)\n\ndata: \(data)\n\n".utf8)
        let expected = [ServerSentEvent(event: "a", data: "\(data)\n\(data)"), ServerSentEvent(data: data)]
        for size in [bytes.count, 100_000, 16_384, 1000, 63, 7] {
            let chunks = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            var decoder = EventDecoder(maximumEventByteCount: 1 << 20)
            let isEqual = decoder.outcome(of: chunks).events == expected
            #expect(isEqual, "chunks of \(size) bytes")
            #expect(decoder.byteCount == bytes.count)
        }
    }

    @Test func `a copy goes its own way`() throws {
        var decoder = EventDecoder(maximumEventByteCount: 100)
        #expect(try decoder.events(in: "data:a\ndata:b") == [])
        var copy = decoder
        #expect(try copy.events(in: "c\n\n") == [.init(data: "a\nbc")])
        #expect(try decoder.events(in: "d\n\n") == [.init(data: "a\nbd")])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random input in random chunks gives what a reference decoder gives`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words: [[UInt8]] =
            [
                "data", "event", "id", "retry", ":", ":", ": ", "\n", "\n", "\r\n", "\r", "\n\n", "a", "é", "🐦", "\0",
                "12",
            ]
            .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xEF, 0xBB, 0xBF]]
        for _ in 0..<20 {
            let count = Int.random(in: 0...60, using: &generator)
            let bytes = (0..<count).flatMap { _ in words[Int.random(in: words.indices, using: &generator)] }
            let chunks = randomSplit(of: bytes, using: &generator)
            let deliversComments = Bool.random(using: &generator)
            var decoder = EventDecoder(maximumEventByteCount: 1000, deliversComments: deliversComments)
            let reference = EventReference(bytes, deliversComments: deliversComments)
            #expect(decoder.outcome(of: chunks) == reference.outcome, "\(bytes) split as \(chunks.map(\.count))")
        }
    }
}
