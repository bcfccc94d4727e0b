// SPDX-License-Identifier: Apache-2.0
import TernStreams
import TestSupport
import Testing

@Suite("Comments of an event stream")
struct EventCommentTests {
    private static func comment(_ text: String, id: String = "") -> ServerSentEvent {
        ServerSentEvent(event: "", data: "", id: id, comment: text)
    }

    static let vectors: [Vector<[ServerSentEvent]>] = [
        .init("§9.2.6", "one leading space is removed", ":a\n: b\n:  c\n", ["a", "b", " c"].map { Self.comment($0) }),
        .init("§9.2.6", "a comment may be empty", ":\n: \n", [Self.comment(""), Self.comment("")]),
        .init("§9.2.6", "colons are text", "::a: b\n", [Self.comment(":a: b")]),
        .init("§9.2.6", "an unfinished comment is discarded", ":a\n:b", [Self.comment("a")]),
        .init("§9.2.6", "bad UTF-8 is repaired", [0x3A, 0xFF, 0x0A], [Self.comment("\u{FFFD}")]),
        .init(
            "§9.2.6",
            "a comment comes before the event in whose lines it stands",
            "data:1\n:a\ndata:2\n:b\n\n",
            [Self.comment("a"), Self.comment("b"), .init(data: "1\n2")]
        ),
        .init(
            "§9.2.6",
            "an ID is in force after its event only",
            "id:1\ndata:x\n:a\n\n:b\nid:2\n:c\n\n:d\n",
            [
                Self.comment("a"), .init(data: "x", id: "1"), Self.comment("b", id: "1"), Self.comment("c", id: "1"),
                Self.comment("d", id: "2"),
            ]
        ),
    ]

    @Test(arguments: vectors)
    func `comments are delivered on request, however the bytes are split`(_ vector: Vector<[ServerSentEvent]>) {
        for split in everySplit(of: vector.bytes) + everyPairOfCuts(of: vector.bytes) {
            var decoder = EventDecoder(maximumEventByteCount: 1000, deliversComments: true)
            #expect(decoder.outcome(of: split).events == vector.expected, "split as \(split.map(\.count))")
        }
        #expect(EventReference(vector.bytes, deliversComments: true).outcome.events == vector.expected)
    }

    @Test(arguments: vectors)
    func `comments are not delivered by default`(_ vector: Vector<[ServerSentEvent]>) {
        var decoder = EventDecoder(maximumEventByteCount: 1000)
        #expect(decoder.outcome(of: [vector.bytes[...]]).events == vector.expected.filter { $0.comment == nil })
    }
}
