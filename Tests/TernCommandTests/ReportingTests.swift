// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HTTPTypes
import Synchronization
import Tern
import TernCLibrary
import TestSupport
import Testing

@testable import TernCommand

/// Tests against the demo's server, on loopback.
///
/// The tests run one after the other, because each call handles the signals of the process.
@Suite("What a command reports", .serialized, .hangLimit)
struct ReportingTests {
    /// The texts on standard output and standard error, and the end of the call.
    private struct Report: Sendable {
        var outcome = Outcome.other
        var output = ""
        var errors = ""

        /// Returns the object in a text that is one line of JSON.
        static func object(_ text: String) throws -> [String: Any] {
            #expect(text.hasSuffix("}\n") && text.filter { $0 == "\n" }.count == 1)
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
    }

    /// Downloads the resource at a path of the server into a file, and returns the report.
    private func download(_ arguments: String..., path: String = "photos/1/image") async throws -> Report {
        let file = Self.unusedPath()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let report = Mutex(Report())
        try await DemoServer.run { server in
            let url = server.address.appending(path: path).absoluteString
            let own = ["--quiet", "--output", file, url]
            let result = try await Self.report(try DownloadCommand.parse(arguments + own))
            report.withLock { $0 = result }
        }
        return report.withLock { $0 }
    }

    private static func unusedPath() -> String {
        FileManager.default.temporaryDirectory.appending(path: "tern-test-\(UUID().uuidString)").path
    }

    private static func report(_ command: some HTTPCommand) async throws -> Report {
        defer { for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) } }
        let (output, errors) = (Pipe(), Pipe())
        let outcome = try await command.conduct(command.url, to: output.writer, errors.writer) {
            try await command.perform($0)
        }
        // Reading waits while a pipe is empty, so write something first.
        for pipe in [output, errors] { System.show(".", on: pipe.writer) }
        let texts = (String(try output.text().dropLast()), String(try errors.text().dropLast()))
        return Report(outcome: outcome, output: texts.0, errors: texts.1)
    }

    @Test func `--timing shows where the time went, on standard error`() async throws {
        let report = try await self.download("--timing")
        #expect(report.outcome == .ok && report.output.isEmpty)
        let lines = report.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("1. GET http://127.0.0.1:") == true)
        #expect(lines.first?.contains("/photos/1/image, 200, new connection") == true)
        for step in ["connecting", "sending", "server", "receiving", "total"] {
            #expect(lines.contains { $0.hasPrefix("   \(step) ") && $0.hasSuffix("|") }, "\(step)")
        }
        #expect(try await self.download().errors.isEmpty)
    }

    @Test func `--report json tells machines where the time went`() async throws {
        let report = try await self.download("--report", "json", "--timing")
        #expect(report.outcome == .ok && report.errors.isEmpty)
        let object = try Report.object(report.output)
        #expect(object["outcome"] as? String == "ok" && object["status"] as? Int == 200)
        let metrics = try #require(object["metrics"] as? [String: Any])
        let transactions = try #require(metrics["transactions"] as? [[String: Any]])
        #expect(transactions.map { $0["status"] as? Int } == [200])
        #expect(transactions.map { $0["method"] as? String } == ["GET"])
        #expect(transactions.first?["end"] is Double && transactions.first?["firstByte"] is Double)
    }

    @Test func `a terminal gets no control characters of the server with --write-out`() async throws {
        defer { for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) } }
        let url = try #require(URL(string: "http://dogs.example/"))
        let response = Response(url: url, status: .ok, fields: [.contentType: "text/\u{9B}2Jplain"])
        let command = try GetCommand.parse(["--write-out", "%{content_type}.\\n", url.absoluteString])
        let (screen, pipe) = (try PseudoTerminal(), Pipe())
        let terminal = open(screen.path, O_RDWR | O_NOCTTY)
        defer { System.close(terminal) }
        for output in [terminal, pipe.writer] {
            _ = try await command.conduct(command.url, to: output, pipe.writer) { _ in CallReport(response, bytes: 0) }
        }
        #expect(try await screen.text(until: ".\r\n") == "text/\u{FFFD}2Jplain.\r\n")
        #expect(try pipe.text() == "text/\u{9B}2Jplain.\n")
    }

    @Test func `--max-filesize limits downloads and lines, too`() async throws {
        let tooLong = try await self.download("--max-filesize", "100")
        #expect(tooLong.outcome == .tooLong)
        let fits = try await self.download("--max-filesize", "100k")
        #expect(fits.outcome == .ok)
        let report = Mutex(Report())
        try await DemoServer.run { server in
            let url = server.address.appending(path: LiveCountsChapter.path).absoluteString
            let result = try await Self.report(try LinesCommand.parse(["--max-filesize", "10", url]))
            report.withLock { $0 = result }
        }
        #expect(report.withLock { $0.outcome } == .tooLong)
    }

    @Test(arguments: [["--report", "json"], ["--timing"]])
    func `a call that failed has its times too`(arguments: [String]) async throws {
        let nowhere = ["--unix-socket", Self.unusedPath(), "http://localhost/"]
        let report = try await Self.report(try GetCommand.parse(arguments + nowhere))
        #expect(report.outcome != .ok && report.output.isEmpty)
        guard arguments.first == "--report" else {
            #expect(report.errors.hasPrefix("1. GET http://localhost/, failed"))
            #expect(report.errors.contains("   total "))
            return
        }
        // The body would have gone to standard output.
        let object = try Report.object(report.errors)
        let metrics = try #require(object["metrics"] as? [String: Any])
        let transactions = try #require(metrics["transactions"] as? [[String: Any]])
        #expect(transactions.count == 1 && transactions.first?["error"] as? String == object["outcome"] as? String)
    }
}
