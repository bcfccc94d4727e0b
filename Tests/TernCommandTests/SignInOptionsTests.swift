// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TestSupport
import Testing

@testable import TernCommand

@Suite("Who to be", .hangLimit)
struct SignInOptionsTests {
    static let url = "https://example.com/"

    private static func options(_ arguments: [String]) throws -> ConnectionOptions {
        try GetCommand.parse(arguments + [Self.url]).connection
    }

    private static func request(_ arguments: [String], _ questioner: ScriptedQuestioner) async throws -> Request {
        let options = try Self.options(arguments)
        let secrets = try await options.secrets(asking: questioner)
        return try options.request(.get, Self.url, timeout: nil, secrets)
    }

    static let credentials: [(arguments: [String], credential: RequestCredential)] = [
        (
            ["--user", "anna:wo:of"],
            RequestCredential(Credential(user: "anna", password: "wo:of"), isPreemptive: true)
        ),
        (["-u", "anna:"], RequestCredential(Credential(user: "anna", password: ""), isPreemptive: true)),
        (
            ["-u", "anna:woof", "--anyauth"],
            RequestCredential(Credential(user: "anna", password: "woof"), isPreemptive: false)
        ),
        (
            ["--user", "anna:woof", "--digest"],
            RequestCredential(Credential(user: "anna", password: "woof"), schemes: [.digest])
        ),
        (
            ["--user", "anna:woof", "--basic"],
            RequestCredential(Credential(user: "anna", password: "woof"), schemes: [.basic], isPreemptive: true)
        ),
        (["--bearer", "abc"], RequestCredential(Credential(token: "abc"))),
        (["--oauth2-bearer", "abc"], RequestCredential(Credential(token: "abc"))),
    ]

    @Test(arguments: credentials)
    func `what is typed becomes the credential of the request`(
        arguments: [String],
        credential: RequestCredential
    ) async throws {
        let questioner = ScriptedQuestioner()
        #expect(try await Self.request(arguments, questioner).options.credential == credential)
        #expect(questioner.asked.isEmpty)
    }

    @Test func `without options the request brings no credential`() async throws {
        #expect(try await Self.request([], ScriptedQuestioner()).options.credential == nil)
    }

    @Test func `a password that is missing is asked for, and hidden`() async throws {
        let questioner = ScriptedQuestioner("wo:of")
        let request = try await Self.request(["--user", "anna", "--digest"], questioner)
        let credential = Credential(user: "anna", password: "wo:of")
        #expect(request.options.credential == RequestCredential(credential, schemes: [.digest]))
        #expect(questioner.asked == [.init(text: "Password of anna: ", isSecret: true)])
    }

    @Test func `where nobody can be asked, the error says what to do`() async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await Self.request(["--user", "anna"], ScriptedQuestioner())
        }
        #expect(error?.outcome == .usage)
        #expect(error?.message.contains("--user name:password") == true)
    }

    static let contradictions: [[String]] = [
        ["--user", "a:b", "--bearer", "c"], ["--user", "a:b", "--digest", "--basic"], ["--digest"], ["--basic"],
        ["--bearer", "c", "--basic"], ["--anyauth"], ["-u", "a:b", "--anyauth", "--basic"],
    ]

    @Test(arguments: contradictions)
    func `what contradicts itself is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Self.options(arguments) }
    }

    static let readable: [(arguments: [String], url: String, isReadable: Bool)] = [
        (["-u", "a:b"], "http://dogs.example/", true), (["--bearer", "a"], "HTTP://dogs.example/", true),
        (["-u", "a:b"], "https://dogs.example/", false), (["-u", "a:b"], "http://127.0.0.1:80/", false),
        (["-u", "a:b", "--digest"], "http://dogs.example/", false), ([], "http://dogs.example/", false),
    ]

    @Test(arguments: readable)
    func `a password that others can read is warned of`(arguments: [String], url: String, isReadable: Bool) throws {
        #expect((try Self.options(arguments).signIn.warning(for: url) != nil) == isReadable)
    }

    @Test func `a file gives users and passwords of hosts`() async throws {
        let folder = try DemoFolder()
        defer { folder.remove() }
        let file = folder.file("netrc")
        try Data("machine example.com login anna password woof".utf8).write(to: file)
        let store = try #require(
            try Self.options(["--netrc-file", file.path]).configuration(for: Self.url).credentialStore
        )
        let space = ProtectionSpace(origin: Origin(scheme: .https, host: "example.com"), scheme: .basic, realm: "r")
        #expect(await store.credential(for: space)?.user == "anna")
    }

    @Test func `a file that cannot be read is an error, which shows none of it`() throws {
        let folder = try DemoFolder()
        defer { folder.remove() }
        let file = folder.file("netrc")
        let options = try Self.options(["--netrc-file", file.path])
        #expect(throws: CommandFailure.self) { try options.configuration(for: Self.url) }
        try Data("machine example.com password \"woof".utf8).write(to: file)
        let error = #expect(throws: CommandFailure.self) { try options.configuration(for: Self.url) }
        #expect(error?.message.contains("woof") == false)
    }
}
