// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation
import TernWebSocketCore
import Testing

@testable import TernCommand

@Suite("tern-cli websocket")
struct WebSocketCommandTests {
    private static func parse(_ arguments: String...) throws -> WebSocketCommand {
        try WebSocketCommand.parse(arguments + ["ws://localhost/"])
    }

    @Test func `options become options of the WebSocket, and a request`() throws {
        let command = try Self.parse(
            "--subprotocol",
            "b",
            "--subprotocol",
            "a",
            "--no-compression",
            "--max-message-size",
            "2k",
            "-H",
            "X-Dog: B",
            "--timeout",
            "3"
        )
        #expect(command.options.subprotocols == ["b", "a"])
        #expect(command.options.compression == .disabled)
        #expect(command.options.maximumMessageByteCount == 2048)
        let request = try command.connection.request(.get, command.url, timeout: command.timeout)
        #expect(request.fields.contains { $0.name.rawName == "X-Dog" && $0.value == "B" })
        #expect(request.options.callTimeout == .seconds(3))
        #expect(try Self.parse().options.compression == .default)
    }

    @Test func `a pipe waits for answers, a terminal does not, and a limit is waited for`() throws {
        #expect(try Self.parse().plan(isTerminal: false).wait == .untilQuiet(.milliseconds(500)))
        #expect(try Self.parse().plan(isTerminal: true).wait == .untilQuiet(.zero))
        #expect(try Self.parse("--limit", "2").plan(isTerminal: false).wait == .forever)
        #expect(try Self.parse("--limit", "2", "--wait", "3").plan(isTerminal: true).wait == .untilQuiet(.seconds(3)))
        #expect(try Self.parse("--wait", "forever").plan(isTerminal: true).wait == .forever)
    }

    @Test func `a time to wait is zero, more, or forever`() {
        #expect(WaitArgument(argument: "0") == .untilQuiet(.zero))
        #expect(WaitArgument(argument: "0.5") == .untilQuiet(.milliseconds(500)))
        for text in ["-1", "ever", "", "nan", "1e10"] { #expect(WaitArgument(argument: text) == nil, "\(text)") }
    }

    @Test func `a number of bytes may have a unit`() {
        let sizes = ["1": 1, "1000": 1000, "2k": 2048, "64M": 64 << 20, "1G": 1 << 30]
        for (text, count) in sizes { #expect(ByteCountArgument(argument: text)?.byteCount == count) }
        for text in ["", "0", "-1", "k", "1T", "1.5M", "9999999999G"] {
            #expect(ByteCountArgument(argument: text) == nil, "\(text)")
        }
    }

    @Test func `a command line that is wrong is refused`() {
        #expect(throws: (any Error).self) { try Self.parse("--limit", "0") }
        #expect(throws: (any Error).self) { try Self.parse("--ping", "0") }
        #expect(throws: (any Error).self) { try Self.parse("--max-message-size", "much") }
    }

    @Test func `events are lines of JSON`() {
        let agreement = PerMessageDeflate.Agreement(serverWindowBits: 12)
        let events: [(WebSocketEvent, String)] = [
            (.opened(subprotocol: nil, compression: nil), #"{"event":"opened"}"#),
            (
                .opened(subprotocol: "chat", compression: agreement),
                #"{"compression":{"clientNoContextTakeover":false,"clientWindowBits":15,"#
                    + #""serverNoContextTakeover":false,"serverWindowBits":12},"event":"opened","subprotocol":"chat"}"#
            ),
            (.message(.text("a\n/é")), #"{"bytes":5,"event":"message","kind":"text","text":"a\n/é"}"#),
            (.message(.binary(Data([0xFF]))), #"{"base64":"/w==","bytes":1,"event":"message","kind":"binary"}"#),
            (.ping(roundTrip: .microseconds(1500)), #"{"event":"ping","seconds":0.0015}"#),
        ]
        for (event, json) in events { #expect(JSONLine.encode(event) == json) }
    }
}

@Suite("How a WebSocket was closed")
struct WebSocketClosingTests {
    @Test(arguments: [
        (1000, true), (1001, true), (1005, true), (1011, false), (1008, false), (3000, false), (4001, false),
    ])
    func `the server's code decides`(code: UInt16, isOrderly: Bool) {
        let closing = WebSocketClosing(code: CloseCode(rawValue: code), side: .server)
        #expect(closing.outcome == (isOrderly ? .ok : .unsuccessfulStatus))
        #expect(closing.message != nil)
        let answer = WebSocketClosing(code: CloseCode(rawValue: code), side: .client)
        #expect(answer.outcome == .ok && answer.message == nil)
    }

    @Test func `a close without an answer is told`() {
        let closing = WebSocketClosing(side: .client, isUnanswered: true)
        #expect(closing.outcome == .timedOut && closing.message != nil)
    }

    @Test func `a reason is shown without what commands a terminal`() {
        let closing = WebSocketClosing(code: .internalError, reason: "a\u{1B}[2J\nb", side: .server)
        #expect(closing.message == "the server closed the WebSocket with 1011: a\u{FFFD}[2J b")
    }

    @Test func `the report holds it`() {
        let report = CallReport(WebSocketClosing(code: .normalClosure, reason: "bye", side: .client), nil)
        #expect(
            report.json
                == #"{"closeCode":1000,"closedBy":"client","event":"closed","exitCode":0,"outcome":"ok","reason":"bye"}"#
        )
    }
}
