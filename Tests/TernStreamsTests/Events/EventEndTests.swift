// SPDX-License-Identifier: Apache-2.0
import TernStreams
import TestSupport
import Testing

@Suite("An event at the end of the input")
struct EventEndTests {
    /// Inputs, with the event that their end ends, and whether they end within a line.
    static let inputs: [(text: String, event: ServerSentEvent?, endsWithinLine: Bool)] = [
        ("", nil, false), ("\n", nil, false), ("data: 1\n\n", nil, false), ("d", nil, true),
        ("data: 2", .init(data: "2"), true), ("data: 2\n", .init(data: "2"), false),
        ("data: 2\r\n", .init(data: "2"), false), ("data: 2\r", .init(data: "2"), false),
        ("data: 1\n\ndata: a\ndata: b", .init(data: "a\nb"), true), ("data", .init(data: ""), true),
        ("event: x\nid: 7\ndata: 2\n", .init(event: "x", data: "2", id: "7"), false),
        ("data: 2\nid: 7", .init(data: "2", id: "7"), true), ("data: 2\nretry: 1\n: c", .init(data: "2"), true),
        (": c", nil, true), (": c\n", nil, false), ("event: x\n", nil, false), ("id: 7\n", nil, false),
        ("\u{FEFF}data: 2", .init(data: "2"), true), ("\u{FEFF}", nil, false),
        ("data: 1\n\n: c\ndata: 2\n", .init(data: "2"), false), ("data: 1\r\n\r", nil, false),
    ]

    @Test(arguments: inputs.indices, [true, false])
    func `the end of the input may end the event, however the bytes are split`(
        index: Int,
        deliversComments: Bool
    ) throws {
        let (text, event, endsWithinLine) = Self.inputs[index]
        for split in everySplit(of: Array(text.utf8)) {
            var decoder = EventDecoder(maximumEventByteCount: 100, deliversComments: deliversComments)
            for chunk in split { try decoder.read(Array(chunk)) { _ in } }
            #expect(decoder.endsWithinLine == endsWithinLine, "split as \(split.map(\.count))")
            #expect(decoder.endEvent() == event, "split as \(split.map(\.count))")
            #expect(decoder.endEvent() == nil)
        }
    }

    @Test func `an event that is too long does not end`() {
        var decoder = EventDecoder(maximumEventByteCount: 7)
        #expect(throws: EventViolation.tooLong(limit: 7)) { try decoder.events(in: "data: 12") }
        #expect(decoder.endEvent() == nil)
    }

    @Test(arguments: ["data: 12", "data: 1\nx"])
    func `an event of just the limit ends`(text: String) throws {
        var decoder = EventDecoder(maximumEventByteCount: 8)
        #expect(try decoder.events(in: text) == [])
        #expect(decoder.endEvent()?.data.hasPrefix("1") == true)
    }

    @Test func `a copy ends its event, and the original goes on`() throws {
        var decoder = EventDecoder(maximumEventByteCount: 100)
        #expect(try decoder.events(in: "id: 1\ndata: 2") == [])
        var copy = decoder
        #expect(copy.endEvent() == ServerSentEvent(data: "2", id: "1"))
        #expect(copy.lastEventID == "1" && decoder.lastEventID.isEmpty)
        #expect(try decoder.events(in: "3\n\n") == [ServerSentEvent(data: "23", id: "1")])
    }
}
