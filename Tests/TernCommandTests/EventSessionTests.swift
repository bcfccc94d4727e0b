// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Synchronization
import Tern
import TernTesting
import TestSupport
import Testing

@testable import TernCommand

/// Tests the command over connections in memory.
@Suite("The events that tern-cli prints", .hangLimit)
struct EventSessionTests {
    /// The texts on standard output and standard error, the report, and the requests that the server received.
    private struct Result {
        var output: String
        var errors: String
        var report: CallReport
        var requests: [ReceivedRequest]
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

    /// Returns a response whose body ends correctly.
    private static func whole(_ body: String) -> ScriptedResponse {
        .raw("\(Self.head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Returns a response that breaks off after this text.
    private static func cut(_ body: String) -> ScriptedResponse {
        .raw("\(Self.head)Content-Length: 9999\r\n\r\n\(body)", ending: .close)
    }

    private static func other(_ status: Int, _ type: String, _ body: String) -> ScriptedResponse {
        let fields: HTTPFields = [.contentType: type]
        return .response(HTTPResponse.Status(code: status, reasonPhrase: "Oh"), fields: fields, body: body)
    }

    /// Runs a command with a server that gives these responses, and the last one again and again.
    private static func run(
        _ arguments: [String],
        isTerminal: Bool = false,
        _ responses: ScriptedResponse...
    ) async throws -> Result {
        let rest = Mutex(responses)
        let server = ScriptedServer { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        let client = Client(connector: MemoryConnector(server))
        let command = try EventsCommand.parse(arguments + ["http://localhost/"])
        let (output, errors) = (Pipe(), Pipe())
        var display = command.display(on: OutputWriter(descriptor: output.writer), isTerminal: isTerminal)
        display.errors = errors.writer
        let session = EventSession(
            options: command.events,
            display: display,
            check: { byteCount throws(CommandFailure) in try command.call.checkLength(byteCount) },
            onResponse: { _ in }
        )
        let report = command.judged(try await session.run(Request(.get, command.url), by: client))
        // Reading waits while a pipe is empty, so write something first.
        for pipe in [output, errors] { System.show(".", on: pipe.writer) }
        return Result(
            output: String(try output.text().dropLast()),
            errors: String(try errors.text().dropLast()),
            report: report,
            requests: server.requests
        )
    }

    // MARK: Events

    @Test func `a pipe gets the data of each event`() async throws {
        let body = ": hi\n\ndata: 1\ndata: 2\n\nevent: photo\ndata: 3\n\ndata\n\n"
        let result = try await Self.run([], Self.whole(body))
        #expect(result.output == "1\n2\n3\n\n")
        #expect(result.errors.isEmpty && result.report.outcome == .ok && result.report.events == 3)
        #expect(result.requests.map { $0.fields[.accept] } == ["text/event-stream"])
        #expect(try await Self.run([], isTerminal: true, Self.whole(body)).output == "1\n2\nevent: photo\n3\n\n")
        #expect(try await Self.run(["--comments"], Self.whole(body)).output == ": hi\n1\n2\n3\n\n")
    }

    @Test func `--limit counts events, but not comments`() async throws {
        let body = "data: 1\n\n: hi\n\ndata: 2\n\ndata: 3\n\n"
        let result = try await Self.run(["--limit", "2", "--comments"], Self.cut(body))
        #expect(result.output == "1\n: hi\n2\n")
        #expect(result.report.outcome == .ok && result.report.events == 2)
    }

    @Test func `--report json turns each event into a line`() async throws {
        let result = try await Self.run(["--report", "json"], Self.whole("id: 1\ndata: a\n\nevent: b\ndata: c\n\n"))
        #expect(
            result.output == """
                {"data":"a","event":"message","id":"1"}
                {"data":"c","event":"b","id":"1"}

                """
        )
        #expect(result.errors.isEmpty)
    }

    @Test func `too much data is a failure`() async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await Self.run(["--max-filesize", "3"], Self.whole("data: 1\n\ndata: 2\n\n"))
        }
        #expect(error?.outcome == .tooLong)
        let result = try await Self.run(["--max-event-size", "10"], Self.whole("data: 1\n\ndata: 12345678\n\n"))
        #expect(result.output == "1\n" && result.report.outcome == .tooLong)
    }

    // MARK: The end

    @Test func `data that marks the end is not printed, an event that does is`() async throws {
        let body = "data: 1\n\nevent: stop\ndata: 2\n\ndata: [DONE]\n\ndata: 3\n\n"
        let data = try await Self.run(["--until-data", "[DONE]"], Self.cut(body))
        #expect(data.output == "1\n2\n" && data.report.outcome == .ok)
        let event = try await Self.run(["--until-event", "stop", "--until-data", "[DONE]"], Self.cut(body))
        #expect(event.output == "1\n2\n" && event.report.outcome == .ok && event.report.events == 2)
    }

    @Test(arguments: ["\n\n", "\n", ""])
    func `the mark needs no end of its line, an event that is printed does`(rest: String) async throws {
        let arguments = ["--until-event", "stop", "--until-data", "[DONE]"]
        let data = try await Self.run(arguments, Self.whole("data: 1\n\ndata: [DONE]\(rest)"))
        #expect(data.output == "1\n" && data.report.outcome == .ok)
        let event = try await Self.run(arguments, Self.whole("data: 1\n\nevent: stop\ndata: 2\(rest)"))
        #expect(event.output == (rest.isEmpty ? "1\n" : "1\n2\n"))
        #expect(event.report.outcome == (rest.isEmpty ? .truncated : .ok))
    }

    @Test(arguments: [
        (["--until-data", "[DONE]"], whole("id: a-1\ndata: 1\n\n")), ([], whole("id: a-1\ndata: 1\n\ndata: 2")),
        ([], cut("id: a-1\ndata: 1\n\n")),
    ])
    func `a stream that ends early is a failure, and says how to continue`(
        arguments: [String],
        response: ScriptedResponse
    ) async throws {
        let result = try await Self.run(arguments, response)
        #expect(result.output == "1\n")
        #expect(result.report.outcome == .truncated && result.report.status == 200 && result.report.events == 1)
        let message = try #require(result.report.message)
        #expect(message.contains("--last-event-id a-1"))
        #expect(message.contains("; the final event did not arrive;") == !arguments.isEmpty)
    }

    @Test func `an ID that a shell would change is not shown`() async throws {
        let result = try await Self.run([], Self.cut("id: $(reboot)\ndata: 1\n\n"))
        #expect(result.report.outcome == .truncated && result.report.message?.contains("reboot") == false)
    }

    @Test func `204 means that there are no events, and --quiet does not say so`() async throws {
        let result = try await Self.run(["--reconnect"], .response(.noContent))
        #expect(result.output.isEmpty && result.report.outcome == .ok && result.report.status == 204)
        #expect(result.report.message?.contains("no more events") == true)
        #expect(try await Self.run(["--quiet"], .response(.noContent)).report.message == nil)
    }

    // MARK: Responses that are not events

    @Test(arguments: [[], ["--reconnect"]])
    func `a status other than 2xx is a failure, with its body`(arguments: [String]) async throws {
        let answer = Self.other(404, "application/problem+json; charset=utf-8", #"{"title":"no"}"#)
        let result = try await Self.run(arguments, answer)
        #expect(result.output.isEmpty && result.requests.count == 1)
        #expect(result.report.outcome == .unsuccessfulStatus && result.report.status == 404)
        #expect(result.report.message == "the server answered 404 Oh")
        #expect(result.report.body == #"{"title":"no"}"#)
        #expect(try await Self.run(arguments + ["--fail"], answer).report.body == nil)
    }

    @Test func `the last media type of a failure says whether people can read its body`() async throws {
        let answer = Self.other(404, "text/html, application/problem+json", #"{"title":"no"}"#)
        #expect(try await Self.run([], answer).report.body == #"{"title":"no"}"#)
        let page = Self.other(404, "application/problem+json, text/html", "<html>")
        #expect(try await Self.run([], page).report.body == nil)
    }

    @Test func `a response of another type is a failure, and a page of HTML is not shown`() async throws {
        let result = try await Self.run([], Self.other(200, "text/html", "<html>"))
        #expect(result.report.outcome == .unsuccessfulStatus && result.report.body == nil)
        #expect(result.report.message?.contains("text/html, not text/event-stream") == true)
        let long = try await Self.run([], Self.other(200, "text/plain", String(repeating: "a", count: 3000)))
        #expect(long.report.body == String(repeating: "a", count: 2000) + "…")
    }

    // MARK: Connecting again

    private static let parts = [
        Self.cut("retry: 0\nid: 1\ndata: a\n\ndata: cut"), Self.whole("id: 2\ndata: b\n\n"),
        ScriptedResponse.response(.noContent),
    ]

    @Test func `--reconnect continues after the last event, and shows the states on standard error`() async throws {
        let arguments = ["--reconnect", "--last-event-id", "0"]
        let result = try await Self.run(arguments, Self.parts[0], Self.parts[1], Self.parts[2])
        #expect(result.output == "a\nb\n")
        let name = try #require(HTTPField.Name("Last-Event-ID"))
        #expect(result.requests.map { $0.fields[name] } == ["0", "1", "2"])
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("tern-cli: ") }, "\(result.errors)")
        #expect(lines.count { $0 == "tern-cli: connected" } == 3)
        #expect(lines.count { $0.contains("; connecting again in 0.") } == 2)
        #expect(result.report.outcome == .ok && result.report.events == 2)
        let quiet = try await Self.run(["--reconnect", "-q"], Self.parts[0], Self.parts[1], Self.parts[2])
        #expect(quiet.output == "a\nb\n" && quiet.errors.isEmpty)
    }

    @Test func `as JSON, the states are on standard output`() async throws {
        let arguments = ["--reconnect", "--report", "json"]
        let result = try await Self.run(arguments, Self.parts[0], Self.parts[1], Self.parts[2])
        #expect(result.errors.isEmpty)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 8, "\(result.output)")
        #expect(lines.first == #"{"state":"connected","status":200}"#)
        #expect(lines.contains { $0.contains(#""outcome":"truncated","retrySeconds":0."#) })
        #expect(lines.last == #"{"lastEventID":"2","state":"disconnected"}"#)
    }
}
