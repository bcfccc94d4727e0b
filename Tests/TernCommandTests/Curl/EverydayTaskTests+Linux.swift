// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests everyday tasks, each in a separate process, as from a shell, against a server on loopback.
@Suite("What curl's users do every day", .hangLimit)
struct EverydayTaskTests {
    /// The result of a task.
    private struct Outcome {
        var result: RunningProgram.Result
        var exchanges: [RecordingServer.Exchange]
        var files: [String: String]
    }

    private static func run(_ program: String, _ task: EverydayTask) async throws -> Outcome {
        let folder = try TemporaryFolder()
        try folder.write("wo of\r\nwoof\n", to: "in.txt")
        try folder.write("X-Cat: Muffin\n\nX-Two: 2\n", to: "fields.txt")
        let answers = task.answers
        let socket = task.usesSocket ? folder.file("s").path : nil
        let server = try RecordingServer(unixSocket: socket) { _, index in answers[min(index, answers.count - 1)] }
        let typed = { (arguments: [String]) in
            arguments.map { argument in
                argument.replacing("{url}", with: "http://127.0.0.1:\(server.port)")
                    .replacing("{port}", with: "\(server.port)").replacing("{socket}", with: socket ?? "")
            }
        }
        try folder.write(typed([task.configuration])[0], to: "k")
        for arguments in task.before { _ = try await RunningProgram.run(program, typed(arguments), in: folder) }
        let result = try await RunningProgram.run(program, typed(task.arguments), input: task.input, in: folder)
        let files = task.files.keys.map { ($0, (try? folder.text(of: $0)) ?? "(none)") }
        return Outcome(
            result: result,
            exchanges: server.exchanges.map { Self.withoutPort($0, server.port) },
            files: Dictionary(uniqueKeysWithValues: files)
        )
    }

    /// Returns an exchange without the port, because the names of the two servers differ only in their ports.
    private static func withoutPort(_ exchange: RecordingServer.Exchange, _ port: Int) -> RecordingServer.Exchange {
        var exchange = exchange
        exchange.fields = exchange.fields.mapValues { $0.replacing(":\(port)", with: ":PORT") }
        return exchange
    }

    @Test(arguments: EverydayTask.all)
    func `a task is done by curl's own line, and the server gets what curl sends`(task: EverydayTask) async throws {
        let outcome = try await Self.run(RunningProgram.ternCLI, task)
        #expect(outcome.result.exitCode == task.exitCode, "\(outcome.result.errors)")
        if let output = task.output { #expect(outcome.result.output == output) }
        #expect(outcome.files == task.files)
        Self.checkErrors(of: outcome, task)
        // Without curl, there is nothing to compare with. The machines of CI have curl (scripts/setup).
        if let curl = RunningProgram.curl { try await Self.compare(outcome, with: curl, task) }
    }

    @Test func `cookies from standard input are sent`() async throws {
        let server = try RecordingServer { _, _ in .init() }
        let result = try await RunningProgram.run(
            RunningProgram.ternCLI,
            ["-s", "-b", "-", "http://127.0.0.1:\(server.port)/a"],
            input: "127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tBiscuit\n",
            in: TemporaryFolder()
        )
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(server.exchanges.map { $0.fields["cookie"] } == ["name=Biscuit"])
    }

    /// Checks standard error: with `-s` it must be empty, and with `-sS` it must have errors.
    private static func checkErrors(of outcome: Outcome, _ task: EverydayTask) {
        let letters = task.arguments.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") }.joined()
        guard !letters.contains("v") else { return }
        if task.exitCode != 0, letters.contains("S") {
            #expect(outcome.result.errors.hasPrefix("tern-cli: "))
        } else if letters.contains("s") {
            #expect(outcome.result.errors.isEmpty)
        }
    }

    private static func compare(_ outcome: Outcome, with curl: String, _ task: EverydayTask) async throws {
        // curl follows no redirects by default, and does not know this option.
        var theirs = task
        theirs.arguments.removeAll { $0 == "--no-location" }
        let expected = try await Self.run(curl, theirs)
        #expect(outcome.result.exitCode == expected.result.exitCode, "\(outcome.result.errors)")
        if task.output != nil { #expect(outcome.result.output == expected.result.output) }
        #expect(outcome.files == expected.files)
        #expect(outcome.exchanges.count == expected.exchanges.count)
        for (ours, theirs) in zip(outcome.exchanges, expected.exchanges) {
            #expect(ours.method == theirs.method)
            // Before version 8.0, curl wrote escapes in lower case, which is equivalent (RFC 3986 §2.1).
            #expect(ours.target.uppercased() == theirs.target.uppercased())
            #expect(Self.tidied(ours.body) == Self.tidied(theirs.body))
            #expect(Self.fields(of: ours, task) == Self.fields(of: theirs, task))
        }
    }

    /// Returns the fields that depend on the task, without the programs' names and the fields that each program adds.
    private static func fields(of exchange: RecordingServer.Exchange, _ task: EverydayTask) -> [String: String] {
        var fields = exchange.fields
        if fields["user-agent"]?.hasPrefix("curl/") == true || fields["user-agent"]?.hasPrefix("tern/") == true {
            fields["user-agent"] = nil
        }
        if !task.ownFields.contains("accept-encoding") { fields["accept-encoding"] = nil }
        for name in task.ownFields { fields[name] = nil }
        if let type = fields["content-type"], type.hasPrefix("multipart/") {
            fields["content-type"] = "multipart/form-data"
            fields["content-length"] = nil
        }
        return fields
    }

    /// Returns the body without the boundary, because each program chooses another one.
    private static func tidied(_ body: String) -> String {
        guard body.hasPrefix("--"), let boundary = body.split(separator: "\r\n").first else { return body }
        return body.replacing(boundary, with: "--")
    }
}
#endif
