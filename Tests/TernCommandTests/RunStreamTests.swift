// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernRequestFiles
import TernTesting
import TestSupport
import Testing

@testable import TernCommand

@Suite("tern-cli run, with streams", .hangLimit)
struct RunStreamTests {
    /// Runs the request of a file against a server in memory, and returns the report and the output.
    private func run(
        _ text: String,
        _ response: ScriptedResponse,
        _ arguments: String...
    ) async throws -> (report: CallReport, output: String) {
        let definition = try #require(try RequestFile(Array("\(text)\nGET http://h".utf8)).requests.first)
        let client = Client(connector: MemoryConnector { _ in response })
        let pipe = Pipe()
        var printer = try RunCommand.parse(["a.http", "--quiet"] + arguments).printer
        printer.output = OutputWriter(descriptor: pipe.writer)
        printer.isTerminal = false
        let report = try await printer.print(definition, Request(.get, "http://h"), client)
        // Reading waits while a pipe is empty, so write something first.
        System.show(".", on: pipe.writer)
        return (report, String(try pipe.text().dropLast()))
    }

    private static func events(_ text: String) -> ScriptedResponse {
        .response(fields: [.contentType: "text/event-stream"], body: text)
    }

    @Test(arguments: ["# @returns Events", "# @returns Events of Photo"])
    func `the data of each event is printed`(text: String) async throws {
        let result = try await self.run(text, Self.events("data: {\"a\": 1}\n\nevent: x\ndata: b\ndata: c\n\n"))
        #expect(result.output == "{\"a\": 1}\nb\nc\n")
        #expect(result.report.outcome == .ok && result.report.events == 2)
    }

    @Test(arguments: [("data [DONE]", "a\n"), ("event end other", "a\n[DONE]\n")])
    func `the last event ends the call, and is printed as the method delivers it`(
        rule: String,
        expected: String
    ) async throws {
        let text = "data: a\n\nevent: end\ndata: [DONE]\n"
        for rest in ["\ndata: b\n\n", ""] {  // a server may leave out the last blank line
            let result = try await self.run("# @returns Events\n# @until \(rule)", Self.events(text + rest))
            #expect(result.output == expected && result.report.outcome == .ok)
        }
    }

    @Test func `a stream without its last event is a failure`() async throws {
        let result = try await self.run("# @returns Events\n# @until data end", Self.events("data: a\n\n"))
        #expect(result.output == "a\n" && result.report.outcome == .truncated)
    }

    @Test func `a limit ends a request that connects again`() async throws {
        let text = "# @returns Events\n# @reconnect"
        let result = try await self.run(text, Self.events("retry: 0\ndata: a\n\n"), "--limit", "3")
        #expect(result.output == "a\na\na\n" && result.report.outcome == .ok && result.report.events == 3)
    }

    @Test func `with a report as JSON, each event is a line of JSON`() async throws {
        let text = "# @returns Events"
        let result = try await self.run(text, Self.events("event: x\ndata: a\nid: 3\n\n"), "--report", "json")
        #expect(result.output == #"{"data":"a","event":"x","id":"3"}"# + "\n")
    }

    @Test(arguments: [
        ("application/jsonl", "{\"a\": 1}\r\n\n[2]"), ("application/json-seq", "\u{1E}{\"a\": 1}\n\u{1E}\n[2]\n"),
    ])
    func `each value is a line`(type: String, body: String) async throws {
        let response = ScriptedResponse.response(fields: [.contentType: type], body: body)
        let result = try await self.run("# @returns Values of Photo", response)
        let lines = result.output.split(separator: "\n").map { $0.filter { $0 != " " } }
        #expect(lines == ["{\"a\":1}", "[2]"] && result.report.outcome == .ok)
        #expect(result.report.bytes == Int64(result.output.utf8.count))
        let first = try await self.run("# @returns Values of Photo", response, "--limit", "1", "--include")
        #expect(first.output.hasPrefix("HTTP/1.1 200 OK\n") && first.output.hasSuffix("\n\n{\"a\": 1}\n"))
    }

    @Test(arguments: ["# @returns Events of A", "# @returns Values of A"])
    func `a status that is a failure is told, with the beginning of the body`(text: String) async throws {
        let fields: HTTPFields = [.contentType: "application/json"]
        let response = ScriptedResponse.response(.unauthorized, fields: fields, body: "{\"a\": 1}")
        let result = try await self.run(text, response)
        #expect(result.report.outcome == .unsuccessfulStatus && result.output.isEmpty)
        #expect(result.report.body == "{\"a\": 1}" && result.report.message?.contains("401") == true)
        let hidden = try await self.run(text, response, "--fail")
        #expect(hidden.report.outcome == .unsuccessfulStatus && hidden.report.body == nil)
    }
}
