// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests commands with several URLs, each in a separate process, against a server on loopback.
@Suite("Several transfers in one command", .hangLimit)
struct SeveralTransfersTests {
    private typealias Answer = RecordingServer.Answer

    /// A server that answers each request with its target, and those that begin with `/404` with this status.
    private static func server() throws -> RecordingServer {
        try RecordingServer { exchange, _ in
            let status = exchange.target.hasPrefix("/404") ? "404 Not Found" : "200 OK"
            return Answer(status: status, body: "\(exchange.target)\n")
        }
    }

    private static func run(
        _ server: RecordingServer,
        _ arguments: [String],
        input: String = "",
        in folder: TemporaryFolder
    ) async throws -> RunningProgram.Result {
        let url = "http://127.0.0.1:\(server.port)"
        let typed = arguments.map { $0.replacing("{url}", with: url) }
        let text = input.replacing("{url}", with: url)
        return try await RunningProgram.run(RunningProgram.ternCLI, typed, input: text, in: folder)
    }

    @Test(arguments: ["1", "2", "50"])
    func `transfers at the same time have the same files as one after the other`(count: String) async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        let arguments = ["-sZ", "--parallel-max", count, "-o", "#1.txt", "{url}/[1-9]", "-O", "{url}/ten", "{url}/a"]
        let result = try await Self.run(server, arguments, in: folder)
        #expect(result.exitCode == 0 && result.output == "/a\n" && result.errors.isEmpty, "\(result.errors)")
        for number in 1...9 { #expect(try folder.text(of: "\(number).txt") == "/\(number)\n") }
        #expect(try folder.text(of: "ten") == "/ten\n")
        #expect(server.exchanges.count == 11)
    }

    @Test func `the exit code of transfers at the same time is that of a failure`() async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        let result = try await Self.run(server, ["-sSfZ", "{url}/404", "{url}/[1-5]"], in: folder)
        #expect(result.exitCode == 22)
        #expect(Set(result.output.split(separator: "\n")) == ["/1", "/2", "/3", "/4", "/5"])
        #expect(result.errors.contains("/404: the server answered 404"))
        let ended = try await Self.run(
            server,
            ["-sfZ", "--parallel-max", "1", "--fail-early", "{url}/404", "{url}/a"],
            in: folder
        )
        #expect(ended.exitCode == 22 && ended.output.isEmpty)
    }

    @Test func `a failure cancels the transfers at the same time`() async throws {
        let (gate, folder) = (DispatchSemaphore(value: 0), try TemporaryFolder())
        defer { gate.signal() }
        let server = try RecordingServer { exchange, _ in
            if exchange.target == "/silent" { gate.wait() }
            return Answer(status: "404 Not Found")
        }
        let result = try await Self.run(server, ["-sSfZ", "--fail-early", "{url}/silent", "{url}/404"], in: folder)
        #expect(result.exitCode == 22)
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }

    @Test func `the heads of transfers at the same time are in one file`() async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        try folder.write("old", to: "heads")
        let result = try await Self.run(server, ["-sZ", "-D", "heads", "{url}/[1-3]"], in: folder)
        #expect(result.exitCode == 0)
        let heads = try folder.text(of: "heads")
        #expect(heads.split(separator: "HTTP/1.1 200 OK").count == 3 && !heads.contains("old"))
    }

    @Test func `errors name the URL, without its secrets, and hide only the URL of the only transfer`() async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        let several = try await Self.run(server, ["-sSf", "{url}/404?key=s3cret", "{url}/a"], in: folder)
        #expect(several.exitCode == 0 && several.errors.hasPrefix("tern-cli: http://127.0.0.1:\(server.port)/404?"))
        #expect(several.errors.contains("404") && !several.errors.contains("s3cret"))
        let one = try await Self.run(server, ["-sSf", "{url}/404"], in: folder)
        #expect(one.errors.hasPrefix("tern-cli: the server answered 404"))
    }

    @Test func `files without a URL get a note`() async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        let result = try await Self.run(server, ["-qo", "f", "-o", "g", "{url}/a"], in: folder)
        #expect(result.exitCode == 0 && result.errors.contains("there are more files"))
        #expect(try folder.text(of: "f") == "/a\n" && (try? folder.text(of: "g")) == nil)
    }

    @Test func `each call has a report`() async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        let result = try await Self.run(server, ["--report", "json", "{url}/a", "--next", "{url}/404"], in: folder)
        let lines = result.errors.split(separator: "\n")
        #expect(result.exitCode == 0 && lines.count == 2 && lines.allSatisfy { $0.hasPrefix("{") }, "\(result.errors)")
        #expect(lines.first?.contains("\"status\":200") == true && lines.last?.contains("\"status\":404") == true)
    }

    static let refused: [(arguments: [String], input: String, message: String)] = [
        (["-sK-"], "url = {url}/a\nmax-time = soon\n", "tern-cli: standard input:2: "),
        (["-sK-"], "url = {url}/a\nuser = \"a:s3cret\n", "standard input:2: a double quote is not closed"),
        (["-sK-"], "url = {url}/a\nnonsense-s3cret\n", "standard input:2: this is not an option"),
        (["-sK", "none", "{url}/a"], "", "the configuration file none cannot be read"),
        (["-sK-", "-d@-", "{url}/a"], "silent", "standard input can be read for one configuration or URL only"),
        (["{url}/a", "--next", "-i"], "", "there is no URL after the last --next"),
        (["-s", "{url}/a", "{url}/[b"], "", "the pattern in the URL cannot be used"),
    ]

    @Test(arguments: refused)
    func `a mistake is found before the first transfer`(
        arguments: [String],
        input: String,
        message: String
    ) async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        let result = try await Self.run(server, arguments, input: input, in: folder)
        let isHidden = message.contains("pattern")
        #expect(result.exitCode == (isHidden ? 3 : 64) && result.output.isEmpty && server.exchanges.isEmpty)
        #expect(result.errors.contains(message) != isHidden, "\(result.errors)")
        #expect(!result.errors.contains("s3cret"))
    }

    @Test(arguments: [["download", "-o", "f"], ["upload"], ["lines"], ["events"]])
    func `a command that makes one call takes no pattern`(command: [String]) async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        try folder.write("woof", to: "dog")
        let arguments = command + ["{url}/{a,b}"] + (command == ["upload"] ? ["dog"] : [])
        let result = try await Self.run(server, arguments, in: folder)
        #expect(result.exitCode == 64 && server.exchanges.isEmpty)
        #expect(result.errors.contains("only 'tern-cli get' makes several calls"), "\(result.errors)")
    }

    @Test func `every command that transfers bodies may have a limit of the rate`() async throws {
        let (server, folder) = (try Self.server(), try TemporaryFolder())
        for arguments in [
            ["get"], ["download", "-o", "f", "--force"], ["download", "-o", "f", "--force", "--continue"],
        ] {
            let result = try await Self.run(server, arguments + ["-s", "--limit-rate", "1G", "{url}/a"], in: folder)
            #expect(result.exitCode == 0, "\(result.errors)")
            #expect(try arguments == ["get"] ? result.output == "/a\n" : folder.text(of: "f") == "/a\n")
        }
        try folder.write("woof", to: "dog")
        let result = try await Self.run(server, ["upload", "-s", "--limit-rate", "1G", "{url}/b", "dog"], in: folder)
        #expect(result.exitCode == 0 && server.exchanges.last?.body == "woof")
    }
}
#endif
