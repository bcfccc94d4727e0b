// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HTTPTypes
import Tern
import Testing

@testable import TernCommand

@Suite("What is sent")
struct ContentOptionsTests {
    /// Provides files from memory.
    private struct Files: ContentInput {
        var contents: [String: String] = ["-": "in\r\nput\n", "f.txt": "a b\r\n\u{0}c\n"]

        func read(_ path: String) async throws(CommandFailure) -> [UInt8] {
            guard let text = self.contents[path] else { throw CommandFailure(outcome: .uploadFailed, message: path) }
            return Array(text.utf8)
        }

        func check(_ path: String) throws(CommandFailure) {
            if self.contents[path] == nil { throw CommandFailure(outcome: .uploadFailed, message: path) }
        }
    }

    private static func request(_ typed: String...) async throws -> Request {
        let words = try CommandArguments(typed + ["http://a/x?q=1#f"]).words.dropFirst()
        let command = try GetCommand.parse(Array(words))
        let request = try command.connection.request(.get, command.url, timeout: nil)
        return try await command.completed(request, command.content, Files())
    }

    private static func text(_ request: Request) -> String? {
        guard case .data(let data)? = request.body?.content else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    static let bodies: [(typed: [String], body: String)] = [
        (["-d", "a=1"], "a=1"), (["-d", "a=1", "-d", "b=2"], "a=1&b=2"), (["-d", "@f.txt"], "a bc"),
        (["--data-binary", "@-"], "in\r\nput\n"), (["--data-raw", "@f.txt"], "@f.txt"), (["-d", ""], ""),
        (["-d", "x", "--data-binary", "@f.txt"], "x&a b\r\n\u{0}c\n"),
        (["--data-urlencode", "a b&c"], "a+b%26c"), (["--data-urlencode", "=a=b"], "a%3Db"),
        (["--data-urlencode", "n@f.txt"], "n=a+b%0D%0A%00c%0A"), (["--data-urlencode", "n=é@"], "n=%C3%A9%40"),
        (["--json", "{\"a\":", "--json", "1}"], "{\"a\":1}"),
    ]

    @Test(arguments: bodies)
    func `pieces are joined as curl joins them`(typed: [String], body: String) async throws {
        let words = try CommandArguments(typed + ["http://a/"]).words.dropFirst()
        let command = try GetCommand.parse(Array(words))
        let request = try await command.content.applied(to: Request(.post, command.url), Files())
        #expect(Self.text(request) == body)
    }

    @Test func `a form has its type, unless another one is typed, or none`() async throws {
        #expect(try await Self.request("-d", "a").effectiveFields[.contentType] == "application/x-www-form-urlencoded")
        let typed = try await Self.request("-d", "a", "-H", "content-type: text/x")
        #expect(typed.effectiveFields[values: .contentType] == ["text/x"])
        #expect(try await Self.request("-d", "a", "-H", "Content-Type:").effectiveFields[.contentType] == nil)
    }

    @Test func `JSON says what it is, and what it wants`() async throws {
        let request = try await Self.request("--json", "{}")
        #expect(request.effectiveFields[.contentType] == "application/json")
        #expect(request.fields[.accept] == "application/json")
        #expect(try await Self.request("--json", "{}", "-H", "Accept: a/b").fields[values: .accept] == ["a/b"])
    }

    @Test func `a single file that is sent as it is, is read as it is sent`() async throws {
        let request = try await Self.request("--data-binary", "@f.txt")
        guard case .file(let url)? = request.body?.content else { throw DemoFailure("it is a file") }
        #expect(url.lastPathComponent == "f.txt")
    }

    @Test func `with -G it is in the URL`() async throws {
        let request = try await Self.request("-G", "-d", "a=1", "--data-urlencode", "b=x y")
        #expect(request.url.absoluteString == "http://a/x?q=1&a=1&b=x+y")
        #expect(request.body == nil)
    }

    @Test func `an empty piece of the query, or an empty condition, changes nothing`() async throws {
        let request = try await Self.request("--url-query", "", "--url-query", "a=1", "-q", "-z", "")
        #expect(request.url.absoluteString == "http://a/x?q=1&a=1")
        #expect(request.fields[.ifModifiedSince] == nil)
    }

    @Test func `a file that is missing is an error`() async throws {
        for typed in [["-d", "@none"], ["--json", "@none"], ["-F", "a=@none"], ["-F", "a=<none"]] {
            let error = await #expect(throws: CommandFailure.self) { try await Self.request(typed[0], typed[1]) }
            #expect(error?.outcome == .uploadFailed)
        }
    }

    @Test func `a form has parts`() async throws {
        let request = try await Self.request("-F", "a=1", "-F", "b=@f.txt", "-F", "c=<f.txt", "--form-string", "d=@;")
        guard case .multipart(let multipart)? = request.body?.content else { throw DemoFailure("it is a form") }
        #expect(multipart.parts.map(\.name) == ["a", "b", "c", "d"])
        #expect(multipart.parts.map(\.contentType) == [nil, "text/plain", nil, nil])
        #expect(multipart.parts[1].filename == nil || multipart.parts[1].filename == "f.txt")
    }

    static let wrong: [[String]] = [
        ["-d", "a", "-F", "b=c"], ["-G", "-F", "b=c"], ["-F", "b"], ["-F", "=c"], ["-F", "a=b;c"],
        ["-F", "a=\"b"], ["-F", "a=b;headers=x"], ["-I", "-d", "a"], ["-T", "f", "-d", "a"],
        ["-r", "x"], ["-C", "5", "-r", "1-"], ["-f", "--fail-with-body"], ["--tls-max", "1.1"],
    ]

    @Test(arguments: wrong)
    func `what makes no sense is refused`(typed: [String]) {
        #expect(throws: (any Error).self) {
            try GetCommand.parse(Array(CommandArguments(typed + ["http://a/"]).words.dropFirst()))
        }
    }

    @Test func `a WebSocket is for another command`() {
        let error = #expect(throws: (any Error).self) { try GetCommand.parse(["wss://a/"]) }
        #expect(error.map { GetCommand.fullMessage(for: $0) }?.contains("tern-cli websocket") == true)
    }
}

@Suite("A part of a form as it is typed")
struct FormArgumentTests {
    static let parts: [(text: String, content: FormArgument.Content, type: String?, filename: String?)] = [
        ("a=b", .text("b"), nil, nil), ("a=", .text(""), nil, nil), ("a=b=c", .text("b=c"), nil, nil),
        ("a=@b.txt", .file("b.txt"), nil, nil), ("a=<b", .textOfFile("b"), nil, nil),
        ("a=@b;type=text/x", .file("b"), "text/x", nil), ("a=@b; filename=c", .file("b"), nil, "c"),
        ("a=@b;type=text/x;charset=utf-8;filename=\"c;d\"", .file("b"), "text/x;charset=utf-8", "c;d"),
        ("a=@\"b;c\\\"d\";type=t/u", .file("b;c\"d"), "t/u", nil), ("a=\"x;y\";type=t/u", .text("x;y"), "t/u", nil),
        ("a=\"\\\\ \\n\"", .text("\\ \\n"), nil, nil),
    ]

    @Test(arguments: parts)
    func `a part has a name, a content, a type and a file's name`(
        text: String,
        content: FormArgument.Content,
        type: String?,
        filename: String?
    ) throws {
        let part = try FormArgument(text)
        #expect(part.name == "a" && part.content == content && part.type == type && part.filename == filename)
    }

    @Test func `the end of a name tells the type of a file`() {
        #expect(FileType.of(file: "a/b.JPG") == "image/jpeg" && FileType.of(file: "a.tar.gz") == "application/gzip")
        #expect(FileType.of(file: "a") == "application/octet-stream" && FileType.of(file: "a.") == FileType.unknown)
    }
}
