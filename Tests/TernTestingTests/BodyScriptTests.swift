// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTransport
import TestSupport
import Testing

@testable import TernTesting

@Suite("BodyScript", .hangLimit)
struct BodyScriptTests {
    struct Change: Codable, Hashable, Sendable {
        var path: String
        var sizes: [Int] = []
    }

    private static func text(_ text: String) -> BodyScript.Part { .bytes(Array(text.utf8)) }

    private func parts(
        _ steps: ScriptedResponse.BodyStep...,
        as format: RecordStreamFormat = .lines
    ) throws -> [BodyScript.Part] {
        try BodyScript(steps, recordsAs: format).parts
    }

    @Test func `steps become parts up to the early end`() throws {
        let parts = try self.parts(
            .event("a", id: "7"),
            .pause(.seconds(15)),
            .event("b", event: "delta"),
            .retry(.milliseconds(2500)),
            .comment("c"),
            .text(""),
            .bytes([0, 255]),
            .cut,
            .event("never sent")
        )
        #expect(
            parts == [
                Self.text("id: 7\ndata: a\n\n"), .pause(.seconds(15)), Self.text("event: delta\ndata: b\n\n"),
                Self.text("retry: 2500\n\n"), Self.text(": c\n\n"), .bytes([0, 255]), .end(.close),
            ]
        )
        #expect(try self.parts(.reset) == [.end(.reset)])
        #expect(try self.parts(.stall) == [.end(.stall)])
        #expect(try self.parts().isEmpty)
    }

    @Test func `no time is too long for a retry field`() throws {
        #expect(try self.parts(.retry(.seconds(Int64.max))) == [Self.text("retry: 1125899906842624000\n\n")])
    }

    @Test func `an event keeps, sets and clears the last ID`() throws {
        let recorded = ServerSentEvent(data: "a", id: "7")
        #expect(
            try self.parts(.event("a", id: "7"), .event(recorded), .event("a", id: "7"), .event("a", id: ""))
                == ["id: 7\ndata: a\n\n", "data: a\n\n", "id: 7\ndata: a\n\n", "id:\ndata: a\n\n"].map(Self.text)
        )
    }

    @Test func `values are data or records`() throws {
        let change = Change(path: "a\nb")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = #"{"path":"a\nb","sizes":[]}"#
        let event = ScriptedResponse.BodyStep.event(json: change, event: "change", id: "7", encoder: encoder)
        #expect(
            try self.parts(event, .record(change, encoder: encoder))
                == [Self.text("event: change\nid: 7\ndata: \(json)\n\n"), Self.text("\(json)\n")]
        )
        #expect(try self.parts(.record(1), as: .automatic) == [Self.text("1\n")])
        #expect(try self.parts(.record(1), as: .textSequence) == [Self.text("\u{1E}1\n")])
    }

    @Test func `each part is a chunk, and the last chunk follows a complete body`() throws {
        let script = try BodyScript([.text("twelve bytes"), .pause(.seconds(1))], recordsAs: .lines)
        #expect(
            script.chunked.parts
                == [Self.text("c\r\ntwelve bytes\r\n"), .pause(.seconds(1)), Self.text("0\r\n\r\n")]
        )
        let cut = try BodyScript([.text("a"), .cut], recordsAs: .lines)
        #expect(cut.chunked.parts == [Self.text("1\r\na\r\n"), .end(.close)])
    }

    @Test(arguments: [
        ScriptedResponse.BodyStep.retry(.seconds(-1)), .record(Double.nan), .event(json: Double.infinity),
        .event("a", event: "b\nc"), .event("a", id: "\0"), .comment("a\nb"),
    ])
    func `a step that cannot be performed is a mistake`(step: ScriptedResponse.BodyStep) {
        #expect(throws: TestStallError.self) { try self.parts(step) }
    }

    // MARK: Decoding

    @Test(arguments: [RecordStreamFormat.lines, .textSequence], [false, true])
    func `a client decodes the same records, wherever the bytes are cut`(
        format: RecordStreamFormat,
        isPretty: Bool
    ) async throws {
        let changes = [Change(path: "a", sizes: [1, 2]), Change(path: ""), Change(path: "Grüße\n\u{1E}👋🏽", sizes: [3])]
        let encoder = JSONEncoder()
        if isPretty { encoder.outputFormatting = .prettyPrinted }
        let script = try BodyScript(changes.map { .record($0, encoder: encoder) }, recordsAs: format)
        let bytes = script.parts.flatMap { (part) -> [UInt8] in
            if case .bytes(let bytes) = part { bytes } else { [] }
        }
        for split in everySplit(of: bytes) {
            let transport = ScriptedTransport(
                .init { call async throws(ClientError) in
                    let fields: HTTPFields = [.contentType: format.mediaType]
                    return HTTPReply(
                        response: Response(url: call.request.url, fields: fields),
                        body: ResponseBody(chunks: split)
                    )
                }
            )
            var values: [Change] = []
            let stream = try await Client(transport: transport).values(from: testURL, as: Change.self)
            for try await value in stream { values.append(value) }
            #expect(values == changes, "split as \(split.map(\.count))")
        }
    }
}
