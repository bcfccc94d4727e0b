// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernCookies
import TestSupport
import Testing

@testable import Tern

@Suite("FileCookieStore", .hangLimit)
struct FileCookieStoreTests {
    private static let request = CookieRequest(host: "www.example.com", isSecure: true)

    private static func fields(_ texts: String...) throws -> [SetCookie] {
        try texts.map { try SetCookie(parsing: ContiguousArray($0.utf8).span) }
    }

    private static func values(_ store: FileCookieStore) -> [String] { store.cookies.map { "\($0.name)=\($0.value)" } }

    @Test func `a new store has what the one before kept`() async throws {
        let folder = try TemporaryFolder()
        let first = try await FileCookieStore(file: folder.file("cookies"))
        #expect(first.cookies.isEmpty)
        await first.receive(try Self.fields("a=1; Max-Age=86400", "session=2"), from: Self.request, at: Date())
        try await first.flush()
        let second = try await FileCookieStore(file: folder.file("cookies"))
        #expect(Self.values(second) == ["a=1"])
        #expect(second.damagedLineCount == 0)
        #expect(await second.cookies(for: Self.request, at: Date()).count == 1)
        #expect(try folder.names == ["cookies"])
    }

    @Test func `cookies of the session are written if that is asked for`() async throws {
        let folder = try TemporaryFolder()
        let first = try await FileCookieStore(file: folder.file("cookies"), keepsSession: true)
        await first.receive(try Self.fields("session=2"), from: Self.request, at: Date())
        await first.receive(try Self.fields("a=1; Max-Age=86400"), from: Self.request, at: Date())
        try await first.flush()
        let second = try await FileCookieStore(file: folder.file("cookies"), keepsSession: true)
        #expect(Self.values(second) == ["session=2", "a=1"])
    }

    @Test func `cookies of another's session are left out, and the file, where they are not wanted`() async throws {
        let folder = try TemporaryFolder()
        let first = try await FileCookieStore(file: folder.file("cookies"), keepsSession: true)
        await first.receive(try Self.fields("session=2", "a=1; Max-Age=86400"), from: Self.request, at: Date())
        try await first.flush()
        let second = try await FileCookieStore(file: folder.file("cookies"))
        #expect(Self.values(second) == ["a=1"])
        try await second.flush()
        #expect(try !folder.text(of: "cookies").contains("session"))
    }

    @Test func `a change is written without being asked, though the store is gone`() async throws {
        let folder = try TemporaryFolder()
        var store: FileCookieStore? = try await FileCookieStore(file: folder.file("cookies"))
        await store?.receive(try Self.fields("a=1; Max-Age=86400"), from: Self.request, at: Date())
        store = nil
        try await eventually("the file is written") { try folder.names == ["cookies"] }
        #expect(try folder.text(of: "cookies").contains("\"name\":\"a\""))
    }

    @Test func `the file is for its owner alone, whoever could read it before`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "cookies")
        let path = folder.file("cookies").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let store = try await FileCookieStore(file: folder.file("cookies"))
        await store.receive(try Self.fields("a=1; Max-Age=86400"), from: Self.request, at: Date())
        try await store.flush()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `what a program that was ended while it wrote has left is deleted`() async throws {
        let folder = try TemporaryFolder()
        let kept = [
            "cookies.1z.part", ".cookies.tern-not a tag.part", ".other.tern-0123456789abc.part", "cookies.part",
            ".cookies.tern-0123456789ABC.part",
        ]
        let leftover = ".cookies.tern-0123456789abc.part"
        for name in kept + [leftover] { try folder.write("a=secret", to: name) }
        _ = try await FileCookieStore(file: folder.file("cookies"))
        #expect(try folder.names == kept.sorted())
    }

    @Test(arguments: [0o620, 0o602, 0o666])
    func `a file that others could have written is refused`(_ mode: Int) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "cookies")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(await Self.reason(folder.file("cookies")) == .file(.notPermitted))
    }

    @Test(.enabled("only the superuser can give a file away") { geteuid() == 0 })
    func `a file and a link of another user are refused`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "cookies")
        #expect(chown(path, 12345, 12345) == 0)
        #expect(await Self.reason(folder.file("cookies")) == .file(.notPermitted))
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("mine"))
        #expect(lchown(folder.file("link").path, 12345, 12345) == 0)
        #expect(await Self.reason(folder.file("link")) == .file(.notPermitted))
    }

    @Test func `a long name in any script can be written`() async throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "🐶", count: 63)
        let store = try await FileCookieStore(file: folder.file(name))
        await store.receive(try Self.fields("a=1; Max-Age=60"), from: Self.request, at: Date())
        try await store.flush()
        #expect(try folder.names == [name])
    }

    @Test func `nothing is written where nothing changed`() async throws {
        let folder = try TemporaryFolder()
        let store = try await FileCookieStore(file: folder.file("cookies"))
        _ = await store.cookies(for: Self.request, at: Date())
        try await store.flush()
        #expect(try folder.names.isEmpty)
    }

    @Test func `a link stays a link`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real")
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("real"))
        let store = try await FileCookieStore(file: folder.file("link"))
        await store.receive(try Self.fields("a=1; Max-Age=86400"), from: Self.request, at: Date())
        try await store.flush()
        #expect(try folder.text(of: "real").contains("\"name\":\"a\""))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link").path).hasSuffix("real"))
    }

    // MARK: Bad files

    private static func reason(_ file: URL) async -> CookieFileError? {
        do throws(CookieFileError) {
            _ = try await FileCookieStore(file: file)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file of something else is refused and stays as it is`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("my thesis\n", to: "thesis")
        #expect(await Self.reason(folder.file("thesis")) == .foreign)
        #expect(try folder.text(of: "thesis") == "my thesis\n")
    }

    @Test func `what is no file is refused`() async throws {
        let folder = try TemporaryFolder()
        #expect(await Self.reason(folder.url) == .file(.isDirectory))
        #expect(await Self.reason(folder.file("none/cookies")) == .file(.folderNotFound))
        #expect(await Self.reason(URL(filePath: "/dev/null")) == .file(.notAFile))
        let web = try #require(URL(string: "http://example.com/"))
        #expect(await Self.reason(web) == .file(.notAFileURL))
        #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
        #expect(await Self.reason(folder.file("pipe")) == .file(.notAFile))
    }

    @Test func `a file that is too long is refused without being read whole`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "long")
        let handle = try FileHandle(forWritingTo: folder.file("long"))
        try handle.truncate(atOffset: 65 << 20)
        try handle.close()
        #expect(await Self.reason(folder.file("long")) == .tooLong)
    }

    @Test func `a damaged file gives what is whole, and the next write mends it`() async throws {
        let folder = try TemporaryFolder()
        let first = try await FileCookieStore(file: folder.file("cookies"))
        await first.receive(try Self.fields("a=1; Max-Age=86400", "b=2; Max-Age=86400"), from: Self.request, at: Date())
        try await first.flush()
        let text = try folder.text(of: "cookies")
        try folder.write(String(text.dropLast(20)), to: "cookies")
        let second = try await FileCookieStore(file: folder.file("cookies"))
        #expect(Self.values(second) == ["a=1"])
        #expect(second.damagedLineCount == 1)
        await second.receive(try Self.fields("c=3; Max-Age=86400"), from: Self.request, at: Date())
        try await second.flush()
        let third = try await FileCookieStore(file: folder.file("cookies"))
        #expect(Self.values(third) == ["a=1", "c=3"])
        #expect(third.damagedLineCount == 0)
    }

    @Test func `a write that fails leaves the old file, and the next one may succeed`() async throws {
        let folder = try TemporaryFolder()
        let inner = folder.file("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        let store = try await FileCookieStore(file: inner.appendingPathComponent("cookies"))
        try FileManager.default.removeItem(at: inner)
        await store.receive(try Self.fields("a=1; Max-Age=86400"), from: Self.request, at: Date())
        await #expect(throws: CookieFileError.file(.folderNotFound)) { try await store.flush() }
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        try await store.flush()
        #expect(try FileManager.default.contentsOfDirectory(atPath: inner.path) == ["cookies"])
    }

    @Test func `after a write that failed the next change tries again, and no reading does`() async throws {
        let folder = try TemporaryFolder()
        let inner = folder.file("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        let store = try await FileCookieStore(file: inner.appendingPathComponent("cookies"))
        try FileManager.default.removeItem(at: inner)
        await store.receive(try Self.fields("a=1; Max-Age=86400"), from: Self.request, at: Date())
        try await eventually("the write has begun") { !store.isWritePending }
        await #expect(throws: CookieFileError.file(.folderNotFound)) { try await store.flush() }
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        #expect(await store.cookies(for: Self.request, at: Date()).count == 1)
        #expect(!store.isWritePending)
        await store.receive(try Self.fields("b=1; Max-Age=86400"), from: Self.request, at: Date())
        try await eventually("the file") {
            try FileManager.default.contentsOfDirectory(atPath: inner.path) == ["cookies"] && !store.isWritePending
        }
    }

    @Test func `whoever reads the file while it is replaced finds a whole one`() async throws {
        let folder = try TemporaryFolder()
        let store = try await FileCookieStore(file: folder.file("cookies"))
        await store.receive(try Self.fields("a=0; Max-Age=86400"), from: Self.request, at: Date())
        try await store.flush()
        let isOver = Flag()
        async let writing: Void = {
            defer { isOver.raise() }
            for number in 1...100 {
                let text = "n\(number)=\(String(repeating: "v", count: 4000)); Max-Age=86400"
                await store.receive(try Self.fields(text), from: Self.request, at: Date())
                try await store.flush()
            }
        }()
        repeat {
            let content = try CookieFile.decode(try Data(contentsOf: folder.file("cookies")), at: Date())
            #expect(content.damagedLineCount == 0)
            #expect(content.jar.count >= 1)
            await Task.yield()
        } while !isOver.isRaised
        try await writing
        #expect(try folder.names == ["cookies"])
    }

    @Test func `no description shows a cookie`() async throws {
        let folder = try TemporaryFolder()
        let store = try await FileCookieStore(file: folder.file("cookies"))
        await store.receive(try Self.fields("name=secret"), from: Self.request, at: Date())
        var shown = "\(store)"
        dump(store, to: &shown)
        #expect(!shown.contains("secret"))
        #expect("\(store)" == "FileCookieStore of 1")
        #expect(!CookieFileError.foreign.description.isEmpty && !CookieFileError.tooLong.description.isEmpty)
    }
}
