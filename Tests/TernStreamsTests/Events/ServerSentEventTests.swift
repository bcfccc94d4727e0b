// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernStreams

@Suite("One server-sent event")
struct ServerSentEventTests {
    @Test func `the defaults are those of an event without fields`() {
        let event = ServerSentEvent()
        #expect(event.event == "message")
        #expect(event.data == "")
        #expect(event.id == "")
        #expect(event.comment == nil)
    }

    @Test func `all properties are compared`() {
        let events = [
            ServerSentEvent(event: "a", data: "b", id: "c"), ServerSentEvent(event: "x", data: "b", id: "c"),
            ServerSentEvent(event: "a", data: "x", id: "c"), ServerSentEvent(event: "a", data: "b", id: "x"),
            ServerSentEvent(event: "a", id: "c", comment: "b"), ServerSentEvent(event: "a", id: "c", comment: "x"),
        ]
        #expect(Set(events).count == events.count)
    }

    @Test func `a comment has no data`() {
        let comment = ServerSentEvent(data: "a", id: "7", comment: "b")
        #expect(comment.comment == "b" && comment.data == "" && comment.id == "7")
        #expect(comment == ServerSentEvent(id: "7", comment: "b"))
        #expect(ServerSentEvent(comment: "").comment == "")
    }

    @Test func `a repeated text is the same string, and another is not`() {
        var repeated = RepeatedText()
        let long = String(repeating: "é", count: 200)
        for text in [
            "", "a", "", "sixteen bytes 16", "sixteen bytes 17", "sixteen bytes 17", long, long, "a",
            "sixteen bytes 17",
        ] {
            let result = Array(text.utf8).withUnsafeBytes { repeated.text(of: $0, isASCII: false) }
            #expect(result == text)
        }
    }

    @Test func `invalid bytes are compared as bytes`() {
        var repeated = RepeatedText()
        for last: UInt8 in [0xFF, 0xFE, 0x41] {
            let bytes = Array("a value of some length".utf8) + [last]
            let result = bytes.withUnsafeBytes { repeated.text(of: $0, isASCII: false) }
            #expect(result == String(decoding: bytes, as: UTF8.self))
        }
    }
}
