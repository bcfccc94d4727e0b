// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TestSupport
import Testing

@testable import TernCommand

@Suite("tern-cli events")
struct EventsCommandTests {
    private static func parse(_ arguments: String...) throws -> EventsCommand {
        try EventsCommand.parse(arguments + ["http://localhost/"])
    }

    @Test func `a stream has no final event unless one is typed`() throws {
        #expect(try Self.parse().events.finalEvent == nil)
        let options = try Self.parse("--until-data", "[DONE]", "--until-data", "", "--until-event", "stop").events
        let rule = try #require(options.finalEvent)
        let cases: [(event: ServerSentEvent, isFinal: Bool, isShown: Bool)] = [
            (ServerSentEvent(data: "a"), false, true),
            (ServerSentEvent(data: "[DONE]"), true, false),
            (ServerSentEvent(data: ""), true, false),
            (ServerSentEvent(event: "stop", data: "a"), true, true),
            (ServerSentEvent(event: "stop", data: "[DONE]"), true, true),
        ]
        for (event, isFinal, isShown) in cases {
            #expect(rule.recognizes(event, false) == isFinal, "\(event)")
            #expect(options.isShown(event) == isShown, "\(event)")
        }
        #expect(options.isShown(ServerSentEvent(event: "", comment: "keep-alive")))
    }

    @Test func `the command connects again only with --reconnect`() throws {
        let end = EventDisconnection()
        #expect(try Self.parse().events.policy.isFinal(end))
        #expect(try !Self.parse("--reconnect").events.policy.isFinal(end))
    }

    @Test func `options become settings of the stream`() throws {
        #expect(try Self.parse().events.streamOptions == EventStreamOptions())
        let options = try Self.parse("--comments", "--max-event-size", "2k").events.streamOptions
        #expect(options == EventStreamOptions(maximumEventByteCount: 2048, includesComments: true))
    }

    @Test(arguments: [["--limit", "0"], ["--last-event-id", "a\nb"], ["--max-event-size", "much"], ["--until-data"]])
    func `a command line that is wrong is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try EventsCommand.parse(["http://localhost/"] + arguments) }
    }

    // MARK: The request

    private static func request(_ arguments: String...) async throws -> Request {
        let command = try EventsCommand.parse(arguments + ["http://localhost/"])
        return try await command.prepare(CommandDelegate(command.connection, ScriptedQuestioner())).request
    }

    @Test func `--json sends JSON, and leaves Accept to the client`() async throws {
        let request = try await Self.request("--content-item", "json:{}")
        #expect(request.method == .post && request.body?.contentType == "application/json")
        #expect(request.fields[.accept] == nil)
        let typed = try await Self.request("--content-item", "json:{}", "-H", "Accept: text/event-stream, a/b")
        #expect(typed.fields[.accept] == "text/event-stream, a/b")
        #expect(try await Self.request().method == .get)
    }

    // MARK: The lines

    private static func text(_ event: ServerSentEvent, _ format: EventDisplay.Format) -> String {
        EventDisplay(format: format, output: OutputWriter(), showsStates: false, isQuiet: false).text(event)
    }

    @Test func `a pipe gets only data, and gets it unchanged`() {
        #expect(Self.text(ServerSentEvent(event: "photo", data: "a\u{1B}[2J\nb"), .data) == "a\u{1B}[2J\nb")
        #expect(Self.text(ServerSentEvent(event: "", comment: "ping"), .data) == ": ping")
    }

    @Test func `a terminal gets the type of an event, and no control characters`() {
        #expect(Self.text(ServerSentEvent(data: "a\u{1B}[2J\n\tb"), .terminal) == "a\u{FFFD}[2J\n\tb")
        #expect(Self.text(ServerSentEvent(event: "ph\u{7}oto", data: "a"), .terminal) == "event: ph\u{FFFD}oto\na")
        #expect(Self.text(ServerSentEvent(event: "", comment: "\u{202E}ping"), .terminal) == ": \u{FFFD}ping")
    }

    @Test func `elements are lines of JSON`() {
        let context = ClientError.Context(phase: .body)
        let lost = ClientError.connectionLost(.closed, context)
        let records: [(EventRecord, String)] = [
            (.event(ServerSentEvent(data: "a\nb", id: "7")), #"{"data":"a\nb","event":"message","id":"7"}"#),
            (.event(ServerSentEvent(event: "", comment: "ping")), #"{"comment":"ping"}"#),
            (.connected(status: 200), #"{"state":"connected","status":200}"#),
            (
                .disconnected(EventDisconnection(lastEventID: "7", retryDelay: .milliseconds(1500)), attempt: 2),
                #"{"attempt":2,"lastEventID":"7","retrySeconds":1.5,"state":"disconnected"}"#
            ),
            (
                .disconnected(EventDisconnection(error: lost), attempt: 1),
                #"{"lastEventID":"","message":"\#(lost)","outcome":"connectionLost","state":"disconnected"}"#
            ),
        ]
        for (record, json) in records { #expect(JSONLine.encode(record) == json) }
    }
}
