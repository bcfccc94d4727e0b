// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TernTransport
import TestSupport
import Testing

@testable import TernCommand

@Suite("A cache on the command line", .hangLimit)
struct CacheOptionsTests {
    private static func command(_ arguments: String...) throws -> GetCommand {
        try GetCommand.parse(arguments + ["https://example.com/"])
    }

    private static func response(_ status: Response.CacheStatus) throws -> Response {
        Response(
            url: try #require(URL(string: "https://example.com/")),
            head: Response.Head(.ok, [:]),
            cacheStatus: status
        )
    }

    @Test func `there is none unless a folder is typed`() throws {
        let without = try Self.command().connection.configuration(for: "https://example.com/")
        #expect(without.cache == nil)
        let with = try Self.command("--cache", "/tmp/some/cache").connection.configuration(for: "https://example.com/")
        #expect((with.cache as? DiskCacheStore)?.directory.path == "/tmp/some/cache")
        #expect(throws: (any Error).self) { try Self.command("--cache", "") }
    }

    @Test func `a folder that cannot be made is refused, and nothing is sent`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tern-test-cache-\(UUID().uuidString)")
        try Data("my thesis".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for path in [file.path, "\(file.path)/below"] {
            let options = try Self.command("--cache", path).connection
            let delegate = CommandDelegate(options, ScriptedQuestioner())
            let error = await #expect(throws: CommandFailure.self) {
                _ = try await options.prepare(.get, "https://example.com/", timeout: nil, delegate)
            }
            #expect(error?.outcome == .usage)
            #expect(error?.message.contains(path) == true)
        }
        #expect(try Data(contentsOf: file) == Data("my thesis".utf8))
    }

    @Test func `a folder that others can write to is refused, and nothing is sent`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tern-test-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let options = try Self.command("--cache", folder.path).connection
        let delegate = CommandDelegate(options, ScriptedQuestioner())
        let error = await #expect(throws: CommandFailure.self) {
            _ = try await options.prepare(.get, "https://example.com/", timeout: nil, delegate)
        }
        #expect(error?.outcome == .usage)
    }

    @Test func `it is told where a response came from`() throws {
        let options = try Self.command("--cache", "x").connection.caching
        #expect(options.line(on: try Self.response(.network)) == "* from the server\n")
        #expect(options.line(on: try Self.response(.cached(age: .seconds(7)))) == "* from the cache, 7 s old\n")
        let stale = options.line(on: try Self.response(.stale(age: .seconds(70))))
        #expect(stale == "* from the cache, 70 s old, no longer fresh\n")
        let confirmed = options.line(on: try Self.response(.revalidated(age: .zero)))
        #expect(confirmed == "* from the cache, confirmed by the server\n")
        #expect(try Self.command().connection.caching.line(on: Self.response(.network)) == nil)
    }

    @Test func `JSON says it, too, unless it came from the server`() throws {
        let cached = CallReport(try Self.response(.cached(age: .seconds(7))), bytes: 1).json
        #expect(cached.contains(#""cache":"cached""#) && cached.contains(#""cacheAge":7"#))
        #expect(
            CallReport(try Self.response(.revalidated(age: .zero)), bytes: 1).json.contains(#""cache":"revalidated""#)
        )
        #expect(!CallReport(try Self.response(.network), bytes: 1).json.contains("cache"))
    }
}
