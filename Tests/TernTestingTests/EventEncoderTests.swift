// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("EventEncoder", .hangLimit)
struct EventEncoderTests {
    /// Returns the encoded events as text.
    private func encoded(_ events: ServerSentEvent..., after lastEventID: String = "") throws -> String {
        var encoder = EventEncoder(lastEventID: lastEventID)
        return try events.map { String(decoding: try encoder.encode($0), as: UTF8.self) }.joined()
    }

    @Test func `an event has the fields that it needs`() throws {
        #expect(try self.encoded(ServerSentEvent(data: "hello")) == "data: hello\n\n")
        #expect(try self.encoded(ServerSentEvent(event: "", data: "hello")) == "data: hello\n\n")
        #expect(
            try self.encoded(ServerSentEvent(event: "delta", data: "a", id: "7"))
                == "event: delta\nid: 7\ndata: a\n\n"
        )
        #expect(try self.encoded(ServerSentEvent()) == "data:\n\n")
        #expect(try self.encoded(ServerSentEvent(data: " a")) == "data:  a\n\n")
        #expect(try self.encoded(ServerSentEvent(comment: "keep-alive")) == ": keep-alive\n\n")
        #expect(try self.encoded(ServerSentEvent(comment: "")) == ":\n\n")
    }

    @Test(arguments: ["a\nb", "a\rb", "a\r\nb"])
    func `each line of the data is a field`(data: String) throws {
        #expect(try self.encoded(ServerSentEvent(data: data)) == "data: a\ndata: b\n\n")
    }

    @Test func `an ID is sent when it changes`() throws {
        let events = ["7", "7", "", ""].map { ServerSentEvent(data: "a", id: $0) }
        #expect(
            try self.encoded(events[0], events[1], ServerSentEvent(comment: "c"), events[2], events[3])
                == "id: 7\ndata: a\n\ndata: a\n\n: c\n\nid:\ndata: a\n\ndata: a\n\n"
        )
        #expect(try self.encoded(events[0], after: "7") == "data: a\n\n")
    }

    @Test(arguments: [
        ServerSentEvent(event: "a\nb"), ServerSentEvent(event: "a\r\n"), ServerSentEvent(id: "a\rb"),
        ServerSentEvent(id: "a\0b"), ServerSentEvent(comment: "a\nb"),
    ])
    func `what the format cannot express is a mistake`(event: ServerSentEvent) {
        #expect(throws: TestStallError.self) { try self.encoded(event) }
    }

    // MARK: Decoding

    /// Events and comments with everything that is special in the format.
    private static let events = [
        ServerSentEvent(data: "hello"), ServerSentEvent(), ServerSentEvent(data: " space  "),
        ServerSentEvent(data: "two\nlines"), ServerSentEvent(data: "\n"), ServerSentEvent(data: "\n\nend\n"),
        ServerSentEvent(event: "delta", data: #"{"text":"Grüße 👋🏽"}"#, id: "7"),
        ServerSentEvent(event: "delta", data: "the same ID", id: "7"), ServerSentEvent(comment: "keep-alive"),
        ServerSentEvent(data: "no ID"), ServerSentEvent(event: "a: b", data: ": colon", id: " 8 "),
        ServerSentEvent(comment: ""), ServerSentEvent(comment: " : space"),
        ServerSentEvent(data: "data: data\nid: 9", id: " 8 "), ServerSentEvent(data: "\u{FEFF}mark", id: " 8 "),
        ServerSentEvent(comment: "end"),
    ]

    /// Returns the events and comments that a client reads from the chunks of a body.
    private func decoded(_ chunks: [ArraySlice<UInt8>]) async throws -> [ServerSentEvent] {
        let transport = ScriptedTransport(
            .init { call async throws(ClientError) in
                let fields: HTTPFields = [.contentType: "text/event-stream"]
                return HTTPReply(
                    response: Response(url: call.request.url, fields: fields),
                    body: ResponseBody(chunks: chunks)
                )
            }
        )
        let options = EventStreamOptions(includesComments: true)
        var events: [ServerSentEvent] = []
        for try await event in try await Client(transport: transport).events(from: testURL, options: options) {
            // A comment is nothing but its text.
            events.append(event.comment.map { ServerSentEvent(comment: $0) } ?? event)
        }
        return events
    }

    @Test func `a client decodes the same events, wherever the bytes are cut`() async throws {
        var encoder = EventEncoder()
        let bytes = try Self.events.flatMap { try encoder.encode($0) }
        for split in everySplit(of: bytes) {
            let events = try await self.decoded(split)
            #expect(events == Self.events, "split as \(split.map(\.count))")
        }
    }
}
