// SPDX-License-Identifier: Apache-2.0
import TernStreams
import TestSupport

/// A part of an event stream, and the expected result, after the cases of the Web Platform Tests in `eventsource/`.
struct EventVector: CustomStringConvertible, Sendable {
    /// The test after which the case is modeled, such as `"format-bom"`, and a few words.
    let name: String
    let bytes: [UInt8]
    let events: [ServerSentEvent]
    let lastEventID: String
    let reconnectionTime: Duration?

    init(
        _ name: String,
        _ bytes: [UInt8],
        _ events: [ServerSentEvent],
        id lastEventID: String = "",
        retry: Int? = nil
    ) {
        (self.name, self.bytes, self.events, self.lastEventID) = (name, bytes, events, lastEventID)
        self.reconnectionTime = retry.map { .milliseconds($0) }
    }

    init(
        _ name: String,
        _ text: String,
        _ events: [ServerSentEvent],
        id lastEventID: String = "",
        retry: Int? = nil
    ) {
        self.init(name, Array(text.utf8), events, id: lastEventID, retry: retry)
    }

    /// The name.
    var description: String { self.name }
}

extension EventVector {
    private static func messages(_ data: String...) -> [ServerSentEvent] { data.map { ServerSentEvent(data: $0) } }

    static let all = Self.lines + Self.fields + Self.ids + Self.retries

    private static let lines: [EventVector] = [
        .init("format-bom", "\u{FEFF}data:1\n\ndata:2\n\n", Self.messages("1", "2")),
        .init("format-bom-2: only one mark", "\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\n", Self.messages("2")),
        .init("format-bom: not later", "data:1\n\n\u{FEFF}data:2\n\n", Self.messages("1")),
        .init("format-bom: only a mark", "\u{FEFF}", []),
        .init("format-bom: a mark, then a blank line", "\u{FEFF}\ndata:1\n\n", Self.messages("1")),
        .init("format-bom: a start of a mark", [0xEF, 0xBB] + Array(":\ndata:1\n\n".utf8), Self.messages("1")),
        .init("format-bom: a mark of UTF-16", [0xFE, 0xFF, 0x0A] + Array("data:1\n\n".utf8), Self.messages("1")),
        .init("format-comments", "data:1\n:\0\n:\r\ndata:2\n:long\ndata:3\n:data:no\r:\n\n", Self.messages("1\n2\n3")),
        .init(
            "format-data-before-final-empty-line",
            "retry:1000\ndata:test1\n\nid:test\ndata:test2",
            Self.messages("test1"),
            retry: 1000
        ),
        .init("format-data-before-final-empty-line: one LF", "data:1\n\ndata:2\n", Self.messages("1")),
        .init("format-leading-space", "data:\ttest\rdata: \ndata:test\n\n", Self.messages("\ttest\n\ntest")),
        .init("format-leading-space: only one", "data:  a\n\ndata: \n\ndata:   \n\n", Self.messages(" a", "", "  ")),
        .init("format-newlines", "data:test\r\ndata\ndata:test\r\n\r\n", Self.messages("test\n\ntest")),
        .init("format-newlines: CR", "data:1\r\rdata:2\r\r", Self.messages("1", "2")),
        .init("format-newlines: CRLF", "data:1\r\n\r\ndata:2\r\n\r\n", Self.messages("1", "2")),
        .init("format-newlines: LFCR", "data:1\n\rdata:2\n\r", Self.messages("1", "2")),
        .init("format-newlines: CRCRLF", "data:1\r\r\ndata:2\r\r\n", Self.messages("1", "2")),
        .init(
            "format-newlines: other characters end nothing",
            "data:a\u{0B}\u{0C}\u{85}\u{2028}b\n\n",
            Self.messages("a\u{0B}\u{0C}\u{85}\u{2028}b")
        ),
        .init("format-newlines: blank lines only", "\n\r\n\r\r\n\n", []),
        .init("format-newlines: nothing", "", []),
        .init("format-null-character", "data:\0\n\n\n\n", Self.messages("\0")),
        .init("format-null-character: in a name", "\0data:1\n\ndata\0:2\n\n", []),
        .init("format-utf-8", "data:ok…\n\n", Self.messages("ok…")),
        .init(
            "format-utf-8: invalid",
            [0x64, 0x61, 0x74, 0x61, 0x3A, 0xE2, 0x82, 0x0A, 0x0A],
            Self.messages("\u{FFFD}")
        ),
        .init(
            "format-utf-8: invalid in two lines",
            Array("data:".utf8) + [0xC3] + Array("\ndata:".utf8)
                + [0xA9, 0x0A, 0x0A],
            Self.messages("\u{FFFD}\n\u{FFFD}")
        ),
        .init(
            "format-utf-8: long",
            "data:€uro é 🐦\ndata: \u{1F468}\u{200D}\u{1F469}\n\n",
            Self.messages("€uro é 🐦\n\u{1F468}\u{200D}\u{1F469}")
        ),
    ]

    private static let fields: [EventVector] = [
        .init("format-field-data", "data:\n\ndata\ndata\n\ndata:test\n\n", Self.messages("", "\n", "test")),
        .init("format-field-data: three lines", "data:a\ndata: b\ndata:\n\n", Self.messages("a\nb\n")),
        .init("format-field-data: colons", "data:a:b\n\ndata::c\n\ndata: : d\n\n", Self.messages("a:b", ":c", ": d")),
        .init(
            "format-field-event",
            "event:test\ndata:x\n\ndata:x\n\n",
            [.init(event: "test", data: "x"), .init(data: "x")]
        ),
        .init(
            "format-field-event: the last one counts",
            "event:a\ndata:x\nevent: b\n\n",
            [.init(event: "b", data: "x")]
        ),
        .init("format-field-event: without data", "event:test\n\ndata:x\n\n", Self.messages("x")),
        .init(
            "format-field-event: long",
            "event:a rather long name\ndata:1\n\nevent:a rather long name\ndata:2\n\n",
            [.init(event: "a rather long name", data: "1"), .init(event: "a rather long name", data: "2")]
        ),
        .init("format-field-event-empty", "event: \ndata:data\n\n", Self.messages("data")),
        .init("format-field-event-empty: resets", "event:a\nevent\ndata:data\n\n", Self.messages("data")),
        .init(
            "format-field-parsing",
            "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n"
                + " data:32\ndata:4\n\n",
            Self.messages("\0\n 2\n1\n3\n\n4")
        ),
        .init("format-field-parsing: spaces", "data :x\n data:y\nevent :z\ndata:1\n\n", Self.messages("1")),
        .init(
            "format-field-unknown",
            "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
            Self.messages("test\n\ntest")
        ),
        .init("format-field-unknown: case", "DATA:1\nEvent:2\nID:3\nRETRY:4\ndata:5\n\n", Self.messages("5")),
        .init(
            "format-field-unknown: prefixes",
            "dat:1\ndatas:2\nevents:3\nids:4\nretryy:5\ni:6\n\ndata:x\n\n",
            Self.messages("x")
        ),
    ]

    private static let ids: [EventVector] = [
        .init(
            "format-field-id",
            "id:1\ndata:x\n\ndata:y\n\n",
            [.init(data: "x", id: "1"), .init(data: "y", id: "1")],
            id: "1"
        ),
        .init(
            "format-field-id-2",
            "id: …\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n",
            [.init(data: "1", id: "…"), .init(data: "2", id: "…"), .init(data: "3")]
        ),
        .init(
            "format-field-id-3",
            "id: 1\ndata: x\n\nid\n\ndata: y\n\n",
            [.init(data: "x", id: "1"), .init(data: "y")]
        ),
        .init("format-field-id: without data", "id:7\n\n", [], id: "7"),
        .init("format-field-id: without the blank line", "id:6\n\nid:7\ndata:x\n", [], id: "6"),
        .init("format-field-id: the last one counts", "id:6\ndata:x\nid:7\n\n", [.init(data: "x", id: "7")], id: "7"),
        .init(
            "format-field-id: long",
            "id:0123456789abcdef0\ndata:x\n\nid:0123456789abcdef0\ndata:y\n\n",
            [.init(data: "x", id: "0123456789abcdef0"), .init(data: "y", id: "0123456789abcdef0")],
            id: "0123456789abcdef0"
        ),
        .init(
            "format-field-id-null",
            "id: \0\0\ndata:1\n\nid:a\ndata:2\n\nid:b\0\ndata:3\n\n",
            [.init(data: "1"), .init(data: "2", id: "a"), .init(data: "3", id: "a")],
            id: "a"
        ),
    ]

    private static let retries: [EventVector] = [
        .init("format-field-retry", "retry:3000\ndata:test\n\n", Self.messages("test"), retry: 3000),
        .init("format-field-retry: without a blank line", "retry: 03000\n", [], retry: 3000),
        .init("format-field-retry: an unfinished line", "retry:3\nretry:4", [], retry: 3),
        .init("format-field-retry: zero", "retry:0\n\n", [], retry: 0),
        .init("format-field-retry: too large", "retry:9223372036854775808\n\n", [], retry: .max),
        .init("format-field-retry: much too large", "retry:\(String(repeating: "9", count: 40))\n\n", [], retry: .max),
        .init("format-field-retry: the largest", "retry:9223372036854775807\n\n", [], retry: .max),
        .init("format-field-retry-bogus", "retry:3000\nretry:1000x\ndata:x\n\n", Self.messages("x"), retry: 3000),
        .init(
            "format-field-retry-bogus: signs, fractions, spaces",
            "retry:-1\nretry:+1\nretry:1.5\nretry:  1\nretry:1 \n\n",
            []
        ),
        .init("format-field-retry-bogus: other digits", "retry:\u{0661}\n\nretry:1e3\n\n", []),
        .init("format-field-retry-empty", "retry\ndata:test\n\n", Self.messages("test")),
        .init("format-field-retry-empty: a colon", "retry:5\nretry:\nretry: \n\n", [], retry: 5),
    ]
}
