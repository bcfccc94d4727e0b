// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download that was interrupted", .hangLimit)
struct ResumptionTests {
    // MARK: The file on the disk

    @Test func `a partial file with a second name stays as it is, and the download continues in another`() async throws
    {
        let folder = try await TransferScene.interrupted(after: 40)
        let partial = folder.file(TransferScene.partial)
        let saved = try Data(contentsOf: partial)
        try FileManager.default.linkItem(at: partial, to: folder.file("saved"))
        let scene = try TransferScene(in: folder)
        let result = try await scene.download()
        expectEqual(scene.bytes(TransferScene.file), scene.content)
        #expect(result.resumedByteCount == 40 && scene.ranges == ["bytes=40-"])
        #expect(try Data(contentsOf: folder.file("saved")) == saved)
        #expect(try Set(folder.names) == [TransferScene.file, "saved"])
    }

    @Test func `a partial file that others can access is for its owner alone afterwards`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let path = folder.file(TransferScene.partial).path
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        let scene = try TransferScene(in: folder)
        _ = try await scene.download()
        let attributes = try FileManager.default.attributesOfItem(atPath: scene.destination.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    // MARK: Within one call

    @Test func `the call requests the bytes that are missing`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), .cut(afterBodyByteCount: 25))
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-", "bytes=65-"])
        #expect(scene.conditions == [nil, "\"v1\"", "\"v1\""])
        #expect(scene.requests.allSatisfy { $0.fields[.acceptEncoding] == "identity" })
        #expect(scene.sentByteCounts == [40, 25, 35])
        #expect(result.resumedByteCount == 0, "no earlier call had stored bytes")
        #expect(result.restart == nil)
        #expect(result.response?.statusCode == 206)
    }

    @Test func `a date that is old enough identifies the version, too`() async throws {
        let fields: HTTPFields = [
            .lastModified: "Wed, 01 Jan 2025 00:00:00 GMT", .date: "Thu, 01 Jan 2026 00:00:00 GMT",
        ]
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), resource: RangeServer(fields))
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.conditions == [nil, fields[.lastModified]])
        #expect(scene.sentByteCounts == [40, 60])
        #expect(result.restart == nil)
    }

    @Test func `a server that sends less than it was asked for is asked for the rest`() async throws {
        let short = Conduct { server, request in
            let first = request.firstByte ?? 0
            return server.part(first..<min(first + 20, server.content.count))
        }
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), short, short)
        _ = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-", "bytes=60-", "bytes=80-"])
    }

    @Test func `a server that sends one byte at a time does not keep the call alive`() async throws {
        let byte = Conduct { server, request in server.part((request.firstByte ?? 0)..<(request.firstByte ?? 0) + 1) }
        let scene = try TransferScene(.cut(afterBodyByteCount: 1), byte, byte, byte, byte, byte)
        #expect(await scene.failure(TransferScene.url, .immediate) != nil)
        #expect(scene.requests.count == 5)
        try scene.expectUnfinished(5)
    }

    @Test func `after a mebibyte of new bytes the count of attempts begins again`() async throws {
        let piece = Conduct.cut(afterBodyByteCount: 400_000)
        let scene = try TransferScene(
            piece,
            piece,
            piece,
            piece,
            piece,
            piece,
            piece,
            piece,
            resource: RangeServer(RangeServer.content(3_500_000))
        )
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.requests.count == 9)
        #expect(result.byteCount == 3_500_000)
    }

    @Test func `without progress the call ends after the last attempt, and a later one continues`() async throws {
        let none = Conduct.cut(afterBodyByteCount: 0)
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), none, none, none, none)
        let error = await scene.failure(TransferScene.url, .immediate)
        #expect(error?.fault == .truncated(received: 0, expected: 60))
        #expect(scene.requests.count == 5)
        try scene.expectUnfinished(40)
        #expect(try await scene.download().resumedByteCount == 40)
        scene.expectComplete()
    }

    // MARK: In a later call

    @Test func `a later call with another signature continues`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        #expect(await scene.fault("\(TransferScene.url)?sig=1") == .truncated(received: 40, expected: 100))
        try scene.expectUnfinished(40)
        let result = try await scene.download("\(TransferScene.url)?sig=2", .manual)
        scene.expectComplete()
        #expect(scene.requests.map(\.target) == ["/file?sig=1", "/file?sig=2"])
        #expect(scene.ranges == [nil, "bytes=40-"])
        #expect(scene.sentByteCounts == [40, 60])
        #expect((result.byteCount, result.resumedByteCount) == (100, 40))
        #expect(result.restart == nil)
    }

    @Test func `a later call with another host continues if the entity tag is the same`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        #expect(await scene.failure() != nil)
        let result = try await scene.download("http://mirror/other", .manual)
        scene.expectComplete()
        #expect(result.resumedByteCount == 40)
    }

    @Test func `the record contains no query`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        #expect(await scene.failure("http://user:word@test/file?secret=1#part") != nil)
        let record = try scene.storedRecord()
        #expect(record.source == TransferResource(origin: "http://test:80", path: "/file"))
        let text = try scene.folder.text(of: TransferScene.record)
        #expect(!text.contains("secret") && !text.contains("word"))
    }

    @Test func `several calls continue one after the other`() async throws {
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 10),
            .cut(afterBodyByteCount: 20),
            .cut(afterByteCount: 10),
            .cut(afterBodyByteCount: 30)
        )
        for byteCount in [10, 30, 30, 60] {
            #expect(await scene.failure() != nil)
            try scene.expectUnfinished(byteCount)
        }
        #expect(try await scene.download(TransferScene.url, .manual).resumedByteCount == 60)
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=10-", "bytes=30-", "bytes=30-", "bytes=60-"])
    }

    @Test func `a call of another process continues, although the file system has other numbers`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        #expect(try await scene.download(TransferScene.url, .manual).resumedByteCount == 40)
        scene.expectComplete()
        #expect(scene.sentByteCounts == [60])
    }
}

extension RangeServer {
    /// Creates a server with the usual content, and with other validators.
    init(_ fields: HTTPFields) { self.init(Self.content(100), fields) }
}
