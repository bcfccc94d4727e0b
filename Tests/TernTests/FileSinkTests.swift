// SPDX-License-Identifier: Apache-2.0
import NIOCore
@testable import Tern
import TernCLibrary
import TernErrors
import TernFiles
import TernFoundation
import TestSupport
import Testing

@Suite("FileSink and FileDestination", .hangLimit)
struct FileSinkTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func reason(_ body: () async throws(FileSink.Failure) -> Void) async -> FileFailure? {
        do throws(FileSink.Failure) {
            try await body()
            return nil
        } catch {
            if case .file(let reason) = error { return reason }
            return nil
        }
    }

    @Test func `writes in order and moves to its place`() async throws {
        let place = try FileDestination(self.folder.file("file"))
        let sink = try place.open()
        for number in 0..<100 { try await sink.write(ByteBuffer(string: "\(number),")) }
        #expect(try await sink.finish(at: place).path == self.folder.file("file").path)
        #expect(try self.folder.text(of: "file") == (0..<100).map { "\($0)," }.joined())
        #expect(try self.folder.names == ["file"])
    }

    @Test func `pieces of any length are written in order, and few of them wait in memory`() async throws {
        let place = try FileDestination(self.folder.file("file"))
        let sink = try place.open()
        var expected: [UInt8] = []
        for number in 0..<200 {
            let piece = [UInt8](repeating: UInt8(number), count: [0, 1, 9, 4_000, 70_000][number % 5])
            try await sink.write(ByteBuffer(bytes: piece))
            expected += piece
        }
        _ = try await sink.finish(at: place)
        #expect(try Data(contentsOf: self.folder.file("file")) == Data(expected))
    }

    @Test func `a full disk is reported, at the latest when it is finished`() async throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        let sink = FileSink(path: self.folder.file("none").path, descriptor: descriptor)
        let place = try FileDestination(self.folder.file("file"))
        let reason = await self.reason { () async throws(FileSink.Failure) in
            try await sink.write(ByteBuffer(string: "no room"))
            _ = try await sink.finish(at: place)
        }
        #expect(reason == .diskFull)
        #expect(try self.folder.names == [])
    }

    @Test func `a full disk stops a writer that goes on`() async throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        let sink = FileSink(path: self.folder.file("none").path, descriptor: descriptor)
        let reason = await self.reason { () async throws(FileSink.Failure) in
            for _ in 0..<10 { try await sink.write(ByteBuffer(repeating: 1, count: 100_000)) }
        }
        #expect(reason == .diskFull)
    }

    @Test func `released unfinished, it deletes its file and closes it`() async throws {
        let place = try FileDestination(self.folder.file("file"))
        do {
            let sink = try place.open()
            try await sink.write(ByteBuffer(string: "half"))
            #expect(try self.folder.names.count == 1)
        }
        let folder = self.folder
        try await eventually("the folder is empty") { try folder.names == [] }
    }

    @Test func `discarded, its file is gone at once`() async throws {
        let sink = try FileDestination(self.folder.file("file")).open()
        try await sink.write(ByteBuffer(string: "half"))
        await sink.discard()
        #expect(try self.folder.names == [])
        await sink.discard()
    }

    @Test func `a file that exists is never written over while it is partial`() throws {
        let place = try FileDestination(self.folder.file("file"))
        let first = try place.open()
        #expect(throws: FileSink.Failure.self) { try place.open() }
        withExtendedLifetime(first) {}
    }

    @Test func `the partial file is hidden, beside its place, and short of name`() throws {
        let name = String(repeating: "n", count: 255)
        let place = try FileDestination(self.folder.file(name))
        #expect(place.finalPath == self.folder.file(name).path)
        #expect(place.partialPath.hasPrefix(self.folder.file(".").path))
        let sink = try place.open()
        #expect(try self.folder.names.first?.hasPrefix(".") == true)
        withExtendedLifetime(sink) {}
    }

    @Test func `a long name in any script can be written`() async throws {
        let name = String(repeating: "ж", count: 120)
        let place = try FileDestination(self.folder.file(name))
        let sink = try place.open()
        try await sink.write(ByteBuffer(string: "x"))
        _ = try await sink.finish(at: place)
        #expect(try self.folder.names == [name])
    }

    @Test(arguments: [
        String(repeating: "🐶", count: 63), String(repeating: "n", count: 255), String(repeating: "ж", count: 127),
        String(repeating: "👩\u{200D}👧", count: 23), "e" + String(repeating: "\u{301}", count: 120),
    ])
    func `a name that is as long as the disk takes can be written`(_ name: String) async throws {
        let place = try FileDestination(self.folder.file(name))
        let sink = try place.open()
        let partial = try #require(try self.folder.names.first)
        #expect(partial.utf8.count <= 255 && !partial.contains("\u{FFFD}"))
        try await sink.write(ByteBuffer(string: "x"))
        _ = try await sink.finish(at: place)
        #expect(try self.folder.names == [name])
    }

    @Test func `a name that no disk takes is refused before anything is sent`() async {
        let name = String(repeating: "🐶", count: 64)
        let reason = await self.reason { () async throws(FileSink.Failure) in
            _ = try FileDestination(self.folder.file(name))
        }
        #expect(reason == .system(errno: ENAMETOOLONG))
    }

    @Test func `what a kill left is deleted with the next download to its folder, and nothing else is`() async throws {
        let leftovers = [
            ".file.tern-0123456789abc.part", ".file.tern-zzzzzzzzzzzzz.part", ".other.tern-0123456789abc.part",
            "..tern-0123456789abc.part",
        ]
        let others = [
            ".file.part", ".file.tern-1.part", ".file.tern-0123456789ABC.part", "file.tern-0123456789abc.part",
            ".file.tern-0123456789abc.part.txt", ".tern-0123456789abc.part", ".file.0123456789abc.part",
        ]
        let livingPath = try FileDestination(self.folder.file("file")).partialPath
        let start = ContinuousClock.now
        let living = try FileSink(path: livingPath, isTemporary: false, at: start)
        try await living.write(ByteBuffer(string: "y"))
        for name in leftovers + others { try self.folder.write("half", to: name) }
        let place = try FileDestination(self.folder.file("file"))
        let sink = try place.open(at: start)
        try await sink.write(ByteBuffer(string: "x"))
        _ = try await sink.finish(at: place)
        let names = try self.folder.names
        #expect(Set(names).isSuperset(of: others + ["file"]) && names.count == others.count + 2)
        #expect(Set(names).isDisjoint(with: leftovers))
        await living.discard()
        #expect(try self.folder.names == (others + ["file"]).sorted())
        // The next search of this folder comes a minute later.
        try self.folder.write("half", to: leftovers[0])
        for (second, rest) in [(59.9, [leftovers[0]]), (60, [])] {
            let next = try FileDestination(self.folder.file("file"))
            _ = try await next.open(at: start + .seconds(second)).finish(at: next)
            #expect(try self.folder.names == (others + ["file"] + rest).sorted())
        }
    }

    @Test func `a link by the name of a leftover is not followed`() async throws {
        try self.folder.write("mine", to: "thesis")
        let link = self.folder.file(".file.tern-0123456789abc.part")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: self.folder.file("thesis"))
        let place = try FileDestination(self.folder.file("file"))
        _ = try await place.open().finish(at: place)
        #expect(try self.folder.text(of: "thesis") == "mine")
    }

    @Test func `errno is told in words`() {
        let reasons: [(CInt, FileFailure)] = [
            (ENOENT, .folderNotFound), (ENOTDIR, .folderNotFound), (EEXIST, .alreadyExists), (EISDIR, .isDirectory),
            (EACCES, .notPermitted), (EPERM, .notPermitted), (EROFS, .notPermitted), (ENOSPC, .diskFull),
            (EDQUOT, .diskFull), (EFBIG, .diskFull), (EIO, .system(errno: EIO)),
        ]
        for (errno, reason) in reasons { #expect(FileFailure(errno: errno) == reason) }
    }
}
