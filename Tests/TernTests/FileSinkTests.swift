// SPDX-License-Identifier: Apache-2.0
import NIOCore
@testable import Tern
import TernErrors
import TernTransport
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
            for _ in 0..<10 { try await sink.write(ByteBuffer(string: "no room")) }
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
        await eventually { (try? folder.names) == [] }
        #expect(try self.folder.names == [])
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

    @Test func `errno is told in words`() {
        let reasons: [(CInt, FileFailure)] = [
            (ENOENT, .folderNotFound), (ENOTDIR, .folderNotFound), (EEXIST, .alreadyExists), (EISDIR, .isDirectory),
            (EACCES, .notPermitted), (EPERM, .notPermitted), (EROFS, .notPermitted), (ENOSPC, .diskFull),
            (EDQUOT, .diskFull), (EFBIG, .diskFull), (EIO, .system(errno: EIO)),
        ]
        for (errno, reason) in reasons { #expect(FileFailure(errno: errno) == reason) }
    }
}
