// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernStreams

@Suite("The limit of an event")
struct EventLimitTests {
    static let accepted = [
        "data:12345\n\n", "data:12345", "\u{FEFF}data:12345\r\n\r\n", "id:1\ndata:1\n\n", "data\ndata:1\r\r",
        "x:34567890\n\n",
        "data:12345\n\ndata:12345\n\n", ":123456789\n\n:123456789\n", ":123456789\ndata:12345",
        "id:12\n:\n:2345\nid:12\n\n", "\n\n\r\n\r\n\n\n\n\n\n\n\n\n\n\n",
    ]

    @Test(arguments: accepted)
    func `an event of just the limit is accepted, without its line breaks`(text: String) {
        for split in everySplit(of: Array(text.utf8)) {
            var decoder = EventDecoder(maximumEventByteCount: 10)
            let outcome = decoder.outcome(of: split)
            #expect(outcome == EventReference(Array(text.utf8)).outcome, "split as \(split.map(\.count))")
        }
    }

    static let refused: [(text: String, eventsBefore: Int)] = [
        ("data:123456", 0), ("data:123456\n\n", 0), ("data\ndata:12\n\n", 0), ("id:1\ndata:12", 0), ("x:345678901", 0),
        ("data:1\n\ndata:2\n\ndata:123456\n\ndata:3\n\n", 2), (":1234567890", 0),
        ("data:\n:1234\ndata:\n\n:12345678901", 1),
        ("data:1234\n:1", 0), ("\n\n\ndata:1\ndata:1\n\n", 0), ("x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n", 0),
    ]

    @Test(arguments: refused)
    func `a longer event is refused, after the events before it`(text: String, eventsBefore: Int) {
        for split in everySplit(of: Array(text.utf8)) {
            var decoder = EventDecoder(maximumEventByteCount: 10)
            let outcome = decoder.outcome(of: split)
            #expect(outcome.events.count == eventsBefore, "split as \(split.map(\.count))")
            #expect(outcome.violation == .tooLong(limit: 10))
        }
    }

    @Test func `an event is refused before its end is seen`() throws {
        var decoder = EventDecoder(maximumEventByteCount: 10)
        #expect(try decoder.events(in: "id:1\nda") == [])
        #expect(try decoder.events(in: "ta:1") == [])
        #expect(throws: EventViolation.tooLong(limit: 10)) { try decoder.events(in: "2") }
    }

    @Test func `once it throws, it always throws, and holds nothing`() {
        var decoder = EventDecoder(maximumEventByteCount: 10)
        #expect(throws: EventViolation.tooLong(limit: 10)) { try decoder.events(in: "data:1\ndata:2\n") }
        #expect(throws: EventViolation.tooLong(limit: 10)) { try decoder.events(in: "\n") }
        #expect(throws: EventViolation.tooLong(limit: 10)) { try decoder.events(in: "") }
        #expect(decoder.heldByteCount == 0)
        #expect(!decoder.isAtBoundary)
    }

    @Test func `a start of a mark that is text counts`() {
        var decoder = EventDecoder(maximumEventByteCount: 2)
        #expect(throws: EventViolation.tooLong(limit: 2)) {
            _ = try decoder.events(in: [0xEF, 0xBB])
            _ = try decoder.events(in: [0x61])
        }
    }

    @Test func `comments do not add up`() throws {
        var decoder = EventDecoder(maximumEventByteCount: 10)
        #expect(try decoder.events(in: "data:1\n") == [])
        for _ in 0..<100 { #expect(try decoder.events(in: ":123\n") == []) }
        #expect(try decoder.events(in: "\n") == [.init(data: "1")])
    }

    @Test(arguments: ["data:1\n", "data\n", "x", ":x", "event:1\n", "id:12\r\n", "data:1\n:2\n"])
    func `no more than the limit is ever held`(pattern: String) throws {
        var decoder = EventDecoder(maximumEventByteCount: 100)
        #expect(throws: EventViolation.self) {
            for byte in String(repeating: pattern, count: 1000).utf8 {
                _ = try decoder.events(in: [byte])
                #expect(decoder.heldByteCount <= 100)
            }
        }
        #expect(decoder.heldByteCount == 0)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a limit of zero or less accepts blank lines only`(limit: Int) throws {
        var decoder = EventDecoder(maximumEventByteCount: limit)
        #expect(try decoder.events(in: "\n\r\n") == [])
        #expect(throws: EventViolation.tooLong(limit: 0)) { try decoder.events(in: "a") }
    }

    @Test func `a violation says what happened`() {
        #expect("\(EventViolation.tooLong(limit: 7))" == "a server-sent event is longer than 7 bytes")
    }

    @Test(arguments: [(4096, true), (4097, false), (1 << 16, false)])
    func `an ID that is too long is ignored, however the bytes are split`(_ byteCount: Int, _ isKept: Bool) {
        let id = String(repeating: "9", count: byteCount)
        let bytes = Array("id:7\ndata:a\n\nid: \(id)\ndata:b\n\ndata:c\n\n".utf8)
        let last = isKept ? id : "7"
        let expected = [
            ServerSentEvent(data: "a", id: "7"), ServerSentEvent(data: "b", id: last),
            ServerSentEvent(data: "c", id: last),
        ]
        for size in [1, 2, 7, 1000, 4095, 4096, 4097, bytes.count] {
            let chunks = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            var decoder = EventDecoder(maximumEventByteCount: 1 << 20)
            let outcome = decoder.outcome(of: chunks)
            #expect(outcome.events == expected && outcome.lastEventID == last, "chunks of \(size) bytes")
            #expect(outcome.isAtBoundary)
        }
    }

    @Test(arguments: [-1, Int.min])
    func `a negative limit counts as 0`(limit: Int) {
        var decoder = EventDecoder(maximumEventByteCount: limit)
        #expect(decoder.outcome(of: [Array("\n\ndata\n\n".utf8)[...]]).violation == .tooLong(limit: 0))
    }
}
