// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TernCommand

@Suite("Configuration files in curl's syntax")
struct ConfigurationFileTests {
    /// Reads files from memory.
    private struct Files: ConfigurationInput {
        var texts: [String: String]

        func bytes(ofConfiguration path: String, called name: String) throws(CommandFailure) -> Data {
            guard let text = self.texts[path] else { throw CommandFailure(outcome: .usage, message: "no \(name)") }
            return Data(text.utf8)
        }
    }

    static let lines: [(text: String, option: String, value: String?)] = [
        ("url = \"http://a/\"", "--url", "http://a/"), ("url=http://a/", "--url", "http://a/"),
        ("url: http://a/", "--url", "http://a/"), ("url : = http://a/ # b", "--url", "http://a/"),
        ("url http://a/", "--url", "http://a/"), ("  url\thttp://a/\t", "--url", "http://a/"),
        ("url http://a/\r", "--url", "http://a/"), ("url = \"http://a/\"\r", "--url", "http://a/"),
        ("--url http://a/", "--url", "http://a/"), ("-d a=1", "-d", "a=1"),
        ("-sS", "-sS", nil), ("-da=1", "-da=1", nil), ("--url=http://a/", "--url=http://a/", nil),
        ("silent", "--silent", nil), ("user = a:b", "--user", "a:b"),
        ("data = a=b", "--data", "a=b"), ("data == a", "--data", "a"), ("data = \"\"", "--data", ""),
        ("data = \"= a\"", "--data", "= a"), ("data =", "--data", nil),
        (#"data = "a\tb\nc\rd\ve\\f\"g\hi" junk"#, "--data", "a\tb\nc\rd\u{B}e\\f\"ghi"),
        ("data = \"a # b\"", "--data", "a # b"), ("data = a#b", "--data", "a#b"), ("data = a\\tb", "--data", "a\\tb"),
        ("data = a\"b", "--data", "a\"b"), ("user-agent = \"Größe 🐶\"", "--user-agent", "Größe 🐶"),
        ("\u{FEFF}silent", "--silent", nil), ("data=\"e\u{301}\"", "--data", "e\u{301}"),
    ]

    @Test(arguments: lines)
    func `a line has an option and its value`(text: String, option: String, value: String?) throws {
        let line = ConfigurationFile.Line(number: 1, option: option, value: value)
        for end in ["", "\n", "\n\n# end\n"] {
            #expect(try ConfigurationFile(parsing: Data((text + end).utf8)).lines == [line])
        }
    }

    @Test func `comments and empty lines have no options, and lines are counted`() throws {
        let text = "# a\n\n/ b\n* c\n \t\n  # d\r\n\r\nsilent\n\nurl=a\n"
        let lines = try ConfigurationFile(parsing: Data(text.utf8)).lines
        #expect(lines.map(\.number) == [8, 10] && lines.map(\.option) == ["--silent", "--url"])
        #expect(try ConfigurationFile(parsing: Data()).lines.isEmpty)
    }

    static let malformed: [(text: String, line: Int, reason: String)] = [
        ("\nurl a b", 2, "double quotes"), ("--url = a", 1, "double quotes"), ("data = \"s3cret", 1, "not closed"),
        ("data = \"s3cret\\\"\n\"", 1, "not closed"), ("data = \"s3cret\\", 1, "not closed"), ("a\na\u{0}b", 2, "NUL"),
    ]

    @Test(arguments: malformed)
    func `a malformed line is refused, with its number`(text: String, line: Int, reason: String) {
        let problem = #expect(throws: ConfigurationFile.Problem.self) {
            try ConfigurationFile(parsing: Data(text.utf8))
        }
        #expect(problem?.line == line && problem?.reason.contains(reason) == true)
        #expect(problem?.reason.contains("s3cret") == false)
    }

    @Test func `a line that is not UTF-8 is refused`() {
        let problem = #expect(throws: ConfigurationFile.Problem.self) {
            try ConfigurationFile(parsing: [97, 10, 0xFF])
        }
        #expect(problem?.line == 2)
    }

    // MARK: In place of --config

    private static func words(_ typed: [String], _ texts: [String: String]) throws -> [[String]] {
        let arguments = try CommandArguments(typed, files: Files(texts: texts))
        return arguments.operations.indices.map { arguments.words(of: $0) }
    }

    @Test func `the options of a file are read in place of its name`() throws {
        let text = "silent\nurl = \"http://a/\"\n-o f\nnext\ndata = x\nurl = http://b/"
        let expected = [
            ["get", "--include", "--silent", "http://a/", "--output=f"],
            ["get", "--content-item=data:x", "http://b/", "--fail", "--silent"],
        ]
        #expect(try Self.words(["-i", "-K", "k", "-f"], ["k": text]) == expected)
        #expect(try Self.words(["-iKk", "-f"], ["k": text]) == expected)
        #expect(try Self.words(["-i", "--config=-", "-f"], ["-": text]) == expected)
    }

    @Test func `a file may name another one, up to a limit`() throws {
        let texts = ["a": "config = b\nurl = u", "b": "silent"]
        #expect(try Self.words(["-K", "a"], texts) == [["get", "--silent", "u"]])
        let error = #expect(throws: CommandFailure.self) { try Self.words(["-K", "a"], ["a": "url = u\nconfig = a"]) }
        #expect(error?.outcome == .usage && error?.message.hasPrefix("a:2: a:2: ") == true)
        #expect(throws: CommandFailure.self) { try Self.words(["-K", "-", "-K", "-"], ["-": "url = u"]) }
    }

    static let refused: [(text: String, message: String)] = [
        ("url = u\nsilent = s3cret", "k:2: the option takes no value"),
        ("lcoation", "k:1: this is not an option; did you mean --location?"),
        ("passw0rd-s3cret", "k:1: this is not an option"), ("\n-X", "k:2: --request needs a value"),
        ("-s\u{2028}3cret", "k:1: this is not an option"), ("ntlm", "k:1: --ntlm is not supported"),
        ("http://s3cret", "k:1: a URL needs the option 'url' before it"),
        ("limit = 3", "k:1: --limit is only an option of"),
        ("next", "k:1: there is no URL before --next"), ("config = s3cret.txt", "k:1: no s3cret.txt"),
        ("data = \"s3cret", "k:1: a double quote is not closed"), ("data = s3cret x", "k:1: a value with spaces"),
        ("url = u\n--data=s3cret x", "k:2: the option takes no value"),
    ]

    @Test(arguments: refused)
    func `a mistake is reported with its file and its line, and without text of the file`(
        text: String,
        message: String
    ) throws {
        let error = #expect(throws: CommandFailure.self) { try Self.words(["-K", "k", "u"], ["k": text]) }
        #expect(error?.outcome == .usage && error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(text.hasPrefix("config") || error?.message.contains("s3cret") == false)
    }

    @Test func `lines are remembered, to say which of them the parser refuses`() throws {
        let texts = ["k": "url = u\nmax-time = x\nheader = \"A: b\""]
        let lines = try CommandArguments(["-K", "k"], files: Files(texts: texts)).operations[0].lines
        #expect(lines.map(\.place) == ["k:2", "k:3"])
        #expect(lines.map(\.words) == [["--max-time=x"], ["--header=A: b"]])
    }

    @Test func `a file is bounded`() throws {
        let folder = try TemporaryFolder()
        let comment = String(repeating: "#", count: ConfigurationFile.maximumByteCount - 7)
        try folder.write("url=u\n\(comment)\n", to: "most")
        try folder.write("url=u\n\(comment)\n\n", to: "more")
        let input = SystemConfigurationInput()
        let most = try input.bytes(ofConfiguration: folder.file("most").path, called: "most")
        #expect(most.count == ConfigurationFile.maximumByteCount)
        for path in [folder.file("more").path, "/dev/zero", folder.file("none").path, folder.url.path] {
            let error = #expect(throws: CommandFailure.self) { try input.bytes(ofConfiguration: path, called: "k") }
            #expect(error?.outcome == .usage && error?.message.contains("k ") == true)
        }
    }
}
