// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernCookies
import TernFoundation
import TestSupport
import Testing

@testable import TernCommand

@Suite("Where cookies are kept", .hangLimit)
struct CookieOptionsTests {
    private static func prepare(
        _ arguments: [String]
    ) async throws -> (client: Client, delegate: CommandDelegate) {
        let url = "https://example.com/"
        let options = try GetCommand.parse(arguments + [url]).connection
        let delegate = CommandDelegate(options, ScriptedQuestioner())
        let (client, _) = try await options.prepare(.get, url, timeout: nil, delegate)
        return (client, delegate)
    }

    private static func temporaryFile() -> String {
        FileManager.default.temporaryDirectory.appending(path: "tern-test-cookies-\(UUID().uuidString)").path
    }

    @Test func `without a file there are no cookies`() async throws {
        let (client, delegate) = try await Self.prepare([])
        #expect(client.configuration.cookieStore == nil)
        let failure = await delegate.writeCookies()
        #expect(failure?.message == nil)
    }

    @Test func `what was kept at the end of one command is there in the next, for the session as well`() async throws {
        let path = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = CookieRequest(host: "example.com", isSecure: true)
        let first = try await Self.prepare(["--cookie-jar", path])
        let field = try SetCookie(parsing: ContiguousArray("session=1".utf8).span)
        await first.client.configuration.cookieStore?.receive([field], from: request, at: Date())
        let failure = await first.delegate.writeCookies()
        #expect(failure?.message == nil)
        let second = try await Self.prepare(["--cookie-jar", path])
        let cookies = await second.client.configuration.cookieStore?.cookies(for: request, at: Date())
        #expect(cookies?.map(\.name) == ["session"])
    }

    @Test func `a file of something else is refused, and stays`() async throws {
        let path = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("my thesis".utf8).write(to: URL(filePath: path))
        let error = await #expect(throws: CommandFailure.self) { try await Self.prepare(["--cookie-jar", path]) }
        #expect(error?.outcome == .usage)
        #expect(error?.message.contains(path) == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("my thesis".utf8))
    }

    @Test func `a file without a title is read, and one of something else is refused`() async throws {
        let path = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("\u{FEFF}example.com\ttrue\t/\tfalse\t0\tdog\tBiscuit\r\n".utf8).write(to: URL(filePath: path))
        let (client, _) = try await Self.prepare(["-b", path])
        let request = CookieRequest(host: "www.example.com", isSecure: true)
        let cookies = await client.configuration.cookieStore?.cookies(for: request, at: Date())
        #expect(cookies?.map(\.name) == ["dog"])
        try Data("my thesis".utf8).write(to: URL(filePath: path))
        let error = await #expect(throws: CommandFailure.self) { try await Self.prepare(["-b", path]) }
        #expect(error?.message.contains("it is not a cookie file") == true)
    }

    @Test func `a cookie file is bounded`() async throws {
        let error = await #expect(throws: CommandFailure.self) { try await Self.prepare(["-b", "/dev/zero"]) }
        #expect(error?.message.contains("too long") == true)
    }

    @Test func `every command that calls takes the option`() throws {
        #expect(try GetCommand.parse(["--cookie-jar", "f", "https://a/"]).connection.cookies.cookieJar == "f")
        #expect(try LinesCommand.parse(["--cookie-jar", "f", "https://a/"]).connection.cookies.cookieJar == "f")
        #expect(try DownloadCommand.parse(["--cookie-jar", "f", "https://a/"]).connection.cookies.cookieJar == "f")
        #expect(try WebSocketCommand.parse(["--cookie-jar", "f", "wss://a/"]).connection.cookies.cookieJar == "f")
    }
}
