// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests downloads, each in a separate process, from a server on loopback that cuts its bodies off.
@Suite("A body that is cut, with --retry", .hangLimit)
struct ResumptionTests {
    private typealias Answer = RecordingServer.Answer

    private static let whole = "0123456789"

    private static func cut(_ tag: String?, after count: Int = 4) -> Answer {
        Answer(fields: tag.map { ["ETag: \($0)"] } ?? [], body: Self.whole, cut: count)
    }

    private static func rest(from start: Int, _ tag: String = "\"a\"", cut: Int? = nil) -> Answer {
        Answer(
            status: "206 Partial Content",
            fields: ["ETag: \(tag)", "Content-Range: bytes \(start)-9/10"],
            body: String(Self.whole.dropFirst(start)),
            cut: cut
        )
    }

    /// Runs a command, and returns its result, the content of the file, and the requests that the server received.
    private static func run(
        _ arguments: [String],
        retries: Int = 3,
        _ answers: [Answer]
    ) async throws -> (result: RunningProgram.Result, file: String?, exchanges: [RecordingServer.Exchange]) {
        let folder = try TemporaryFolder()
        let server = try RecordingServer { _, index in answers[min(index, answers.count - 1)] }
        let result = try await RunningProgram.run(
            RunningProgram.ternCLI,
            arguments + ["--retry", "\(retries)", "--retry-delay", "0.001", "http://127.0.0.1:\(server.port)/a"],
            in: folder
        )
        return (result, try? folder.text(of: "file"), server.exchanges)
    }

    @Test(arguments: [["download", "-o", "file"], ["-o", "file"], ["-so", "file"]])
    func `it goes on where it ended`(arguments: [String]) async throws {
        let answers = [Self.cut("\"a\""), Self.rest(from: 4, cut: 3), Self.rest(from: 7)]
        let (result, file, exchanges) = try await Self.run(arguments, answers)
        #expect(result.exitCode == 0 && file == Self.whole, "\(result.errors)")
        #expect(exchanges.map { $0.fields["range"] } == [nil, "bytes=4-", "bytes=7-"])
        #expect(exchanges.map { $0.fields["if-range"] } == [nil, "\"a\"", "\"a\""])
        #expect(result.errors.contains("continuing at byte 4") == (arguments.first != "-so"))
    }

    /// The end of such a body may not be the end of the representation.
    @Test func `a 200 that names a range begins again`() async throws {
        let part = Answer(fields: ["ETag: \"a\"", "Content-Range: bytes 0-9/20"], body: Self.whole, cut: 4)
        let (result, file, exchanges) = try await Self.run(
            ["download", "-o", "file"],
            [part, Answer(body: Self.whole)]
        )
        #expect(result.exitCode == 0 && file == Self.whole, "\(result.errors)")
        #expect(exchanges.map { $0.fields["range"] } == [nil, nil])
    }

    @Test func `standard output gets all of it, once`() async throws {
        let (result, _, exchanges) = try await Self.run(["get"], [Self.cut("\"a\""), Self.rest(from: 4)])
        #expect(result.exitCode == 0 && result.output == Self.whole && exchanges.count == 2)
    }

    @Test(arguments: [nil, "W/\"a\""])
    func `without a strong tag a download begins again`(tag: String?) async throws {
        let (result, file, exchanges) = try await Self.run(
            ["download", "-o", "file"],
            [Self.cut(tag), Answer(body: Self.whole)]
        )
        #expect(result.exitCode == 0 && file == Self.whole, "\(result.errors)")
        #expect(exchanges.map { $0.fields["range"] } == [nil, nil])
        #expect(result.errors.contains("trying again"))
    }

    @Test func `a body that has changed meanwhile is downloaded from its beginning`() async throws {
        let other = Answer(fields: ["ETag: \"b\""], body: "other")
        let (result, file, exchanges) = try await Self.run(["download", "-o", "file"], [Self.cut("\"a\""), other])
        #expect(result.exitCode == 0 && file == "other", "\(result.errors)")
        #expect(exchanges.map { $0.fields["range"] } == [nil, "bytes=4-", nil])
    }

    @Test func `another part than the one that was asked for is not taken`() async throws {
        let answers = [Self.cut("\"a\""), Self.rest(from: 5), Answer(body: Self.whole)]
        let (result, file, _) = try await Self.run(["download", "-o", "file"], answers)
        #expect(result.exitCode == 0 && file == Self.whole)
    }

    @Test(arguments: [0, 2])
    func `the number of retries is the limit, and then nothing is stored`(retries: Int) async throws {
        for tag in [nil, "\"a\""] {
            let answers = [Self.cut(tag), tag == nil ? Self.cut(nil) : Self.rest(from: 4, cut: 0)]
            let (result, file, exchanges) = try await Self.run(["download", "-o", "file"], retries: retries, answers)
            #expect(result.exitCode == 18 && file == nil, "\(result.errors)")
            #expect(exchanges.count == retries + 1)
        }
    }

    @Test func `a request that may have changed something is not sent twice`() async throws {
        let (result, _, exchanges) = try await Self.run(["download", "-d", "a", "-o", "file"], [Self.cut(nil)])
        #expect(result.exitCode == 18 && exchanges.count == 1)
    }
}

@Suite("Continuing a file, with -C", .hangLimit)
struct ContinuationTests {
    private typealias Answer = RecordingServer.Answer

    private static func run(
        _ answer: Answer,
        _ arguments: String...,
        holding text: String = "0123"
    ) async throws -> (result: RunningProgram.Result, file: String?, exchange: RecordingServer.Exchange?) {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "file")
        let server = try RecordingServer { _, _ in answer }
        let all = arguments + ["-C", "-", "-o", "file", "http://127.0.0.1:\(server.port)/a"]
        let result = try await RunningProgram.run(RunningProgram.ternCLI, all, in: folder)
        return (result, try? folder.text(of: "file"), server.exchanges.first)
    }

    @Test func `a server that sends all of it has the file written from its beginning`() async throws {
        let (result, file, exchange) = try await Self.run(Answer(body: "abcdef"))
        #expect(result.exitCode == 0 && file == "abcdef" && exchange?.fields["range"] == "bytes=4-")
        #expect(result.errors.contains("from the beginning"))
    }

    @Test func `a file that is complete stays, and that is a success`() async throws {
        let answer = Answer(status: "416 Range Not Satisfiable", fields: ["Content-Range: bytes */4"], body: "")
        let (result, file, _) = try await Self.run(answer)
        #expect(result.exitCode == 0 && file == "0123")
    }

    @Test(arguments: ["404 Not Found", "416 Range Not Satisfiable"])
    func `an error leaves the file as it is`(status: String) async throws {
        let (result, file, _) = try await Self.run(Answer(status: status, body: "no dog"))
        #expect(result.exitCode == 22 && file == "0123")
        #expect(result.errors.contains("was not changed"))
    }

    @Test func `another part than the one that was asked for is not appended`() async throws {
        let answer = Answer(status: "206 Partial Content", fields: ["Content-Range: bytes 2-3/6"], body: "23")
        let (result, file, _) = try await Self.run(answer)
        #expect(result.exitCode == 8 && file == "0123")
    }

    @Test(
        arguments: [
            (200, nil, .replace), (200, "bytes 0-5/6", .replace), (200, "pages 1-2/6", .replace),
            (200, "bytes 4-5/6", .append), (206, "bytes 4-5/6", .append), (206, "bytes 4-5/*", .append),
            (404, nil, nil), (416, "bytes */4", nil),
        ] as [(Int, String?, System.WritingMode?)]
    )
    func `a part is appended, whatever the status, and the whole replaces the file`(
        _ status: Int,
        _ range: String?,
        _ mode: System.WritingMode?
    ) throws {
        #expect(try GetCommand.mode(status, range, from: 4) == mode)
        #expect(try GetCommand.mode(status, range, from: nil) == .replace)
    }

    @Test(
        arguments: [
            (200, "bytes 2-3/6"), (200, "bytes 0-3/6"), (200, "bytes */6"), (200, "bytes 4-"), (200, "bytes 4-5/5"),
            (200, "bytes=4-5/6"), (206, nil), (206, "bytes 2-3/6"), (206, "bytes 0-5/6"), (206, "pages 4-5/6"),
            (206, "bytes +4-5/+6a"),
        ] as [(Int, String?)]
    )
    func `another part is refused`(_ status: Int, _ range: String?) {
        #expect(throws: CommandFailure.self) { try GetCommand.mode(status, range, from: 4) }
    }

    @Test func `a part with the status 200 continues the file`() async throws {
        let answer = Answer(fields: ["Content-Range: bytes 4-5/6"], body: "45")
        let (result, file, _) = try await Self.run(answer)
        #expect(result.exitCode == 0 && file == "012345", "\(result.errors)")
    }

    @Test func `another part with the status 200 leaves the file as it is`() async throws {
        let answer = Answer(fields: ["Content-Range: bytes 5-5/6"], body: "5")
        let (result, file, _) = try await Self.run(answer)
        #expect(result.exitCode == 8 && file == "0123", "\(result.errors)")
    }

    /// curl asks for no coding without `--compressed`, and stores what arrives.
    @Test(arguments: ["gzip", "x-gzip", "deflate"], [["-O"], ["-o", "a.tar.gz"]])
    func `a file gets the bytes as the server sends them`(_ coding: String, _ arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let body = "\u{1F}these bytes are not compressed"
        let server = try RecordingServer { _, _ in Answer(fields: ["Content-Encoding: \(coding)"], body: body) }
        let url = "http://127.0.0.1:\(server.port)/a.tar.gz"
        let result = try await RunningProgram.run(RunningProgram.ternCLI, arguments + [url], in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try folder.text(of: "a.tar.gz") == body)
        #expect(server.exchanges.map { $0.fields["accept-encoding"] } == [nil])
        // With the option, the same bytes are not in the coding, as curl says, too.
        let all = arguments + ["--compressed", url]
        let decoding = try await RunningProgram.run(RunningProgram.ternCLI, all, in: folder)
        #expect(decoding.exitCode != 0)
        #expect(server.exchanges.last?.fields["accept-encoding"] == "gzip, deflate")
    }

    @Test(arguments: [["download"], ["-O"]])
    func `a URL without a scheme names its file, and says what it became`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let server = try RecordingServer()
        let url = "127.0.0.1:\(server.port)/files/dog.txt"
        let result = try await RunningProgram.run(RunningProgram.ternCLI, arguments + [url], in: folder)
        #expect(result.exitCode == 0 && result.errors == "tern-cli: the URL has no scheme; requesting http://\(url)\n")
        #expect(try folder.text(of: "dog.txt") == "hello\n")
    }

    @Test func `an empty file is begun, without a range`() async throws {
        let (result, file, exchange) = try await Self.run(Answer(body: "ab"), holding: "")
        #expect(result.exitCode == 0 && file == "ab" && exchange?.fields["range"] == nil)
    }
}
#endif
