// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TestSupport
import Testing

@testable import TernCommand

/// Shells pass an empty word for `""`, and for `"$VARIABLE"` if the variable has no value.
@Suite("Options with an empty value", .hangLimit)
struct EmptyValueTests {
    private static let url = "https://example.com/"

    private static func command(_ typed: [String]) throws -> GetCommand {
        try GetCommand.parse(Array(try CommandArguments(typed + [Self.url]).words.dropFirst()))
    }

    private static func request(_ typed: String...) throws -> Request {
        let command = try Self.command(typed)
        return try command.connection.request(.get, command.url, timeout: nil)
    }

    @Test(arguments: CommandGrammar.commands.keys.sorted())
    func `the next word is never taken in place of an empty value`(command: String) throws {
        let grammar = try #require(CommandGrammar.commands[command])
        // A URL becomes an argument, and a file of options is read at once.
        for option in grammar.options.values where option.takesValue && !["url", "config"].contains(option.name) {
            let isContent = ContentArgument.Kind(option: option.name) != nil
            for typed in [["--\(option.name)", ""], ["--\(option.name)="]] {
                let words = try CommandArguments([command] + typed + ["u"]).words
                #expect(words.last == "u" && words.count == (isContent ? 3 : 4), "\(words)")
                #expect(isContent ? words[1].hasSuffix(":") : words[1...2] == ["--\(option.name)", ""], "\(words)")
            }
        }
    }

    @Test(arguments: [["-K", ""], ["--config="]])
    func `an empty name is no file of options`(typed: [String]) {
        #expect(throws: CommandFailure.self) { try CommandArguments(typed + [Self.url]) }
    }

    static let lines: [[String]] = [
        ["-A", ""], ["-H", ""], ["-b", ""], ["-c", ""], ["-x", ""], ["-e", ""], ["-E", "", "--pass", ""], ["-w", ""],
        ["-T", ""], ["-o", "f", "--output-dir", ""], ["-u", ""], ["-d", ""], ["--user-agent="], ["-sA", "", "-i"],
    ]

    @Test(arguments: lines)
    func `a line with an empty value keeps its URL`(typed: [String]) throws {
        #expect(try Self.command(typed).url == Self.url)
    }

    @Test func `an empty field, user agent or referer is not sent`() throws {
        #expect(try Self.request("-H", "").fields.isEmpty)
        #expect(try Self.request("-H", "", "-H", "X-Dog: Biscuit").fields.count == 1)
        let client = try Self.command(["-A", ""]).connection.configuration(for: Self.url)
        #expect(try Self.request("-A", "").fields.isEmpty && client.defaultFields[.userAgent] == nil)
        #expect(try Self.request("-e", "").fields.isEmpty)
    }

    @Test func `an empty proxy, certificate, folder or file is none`() throws {
        #expect(try Self.request("-x", "").options.proxy == .direct)
        #expect(try Self.command(["-E", "", "--pass", ""]).connection.tls.cert == nil)
        let output = try Self.command(["-o", "f", "--output-dir", ""]).output
        #expect(try output.path(for: Self.url) == "f")
        #expect(try Self.command(["-T", ""]).uploadFile == nil)
    }

    @Test(arguments: ["-b", "-c"])
    func `an empty cookie file turns cookies on, without a file`(option: String) async throws {
        let options = try Self.command([option, ""]).connection.cookies
        let store = try await options.store(warns: true)
        #expect(store is MemoryCookieStore)
        #expect(options.texts.isEmpty)
    }

    @Test func `an empty user is a user without a name`() throws {
        let options = try Self.command(["-u", ""]).connection.signIn
        #expect(options.userWithoutPassword == "")
        let request = options.applied(to: Request(.get, Self.url), password: "woof")
        #expect(request.options.credential?.credential == Credential(user: "", password: "woof"))
    }

    @Test func `an empty passphrase is not asked for`() throws {
        let tls = try Self.command(["-E", "a.p12", "--pass", ""]).connection.tls
        #expect(tls.fileWithoutPassphrase == nil)
    }
}
