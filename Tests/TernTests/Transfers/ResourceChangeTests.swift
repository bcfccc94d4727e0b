// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernTesting
import TestSupport
import Testing

@Suite("A durable download whose bytes may belong to another version", .hangLimit)
struct ResourceChangeTests {
    private static let date = "Thu, 01 Jan 2026 00:00:00 GMT"
    /// The validators of a resource that the server identifies only by a date.
    private static let dated: HTTPFields = [.lastModified: "Wed, 01 Jan 2025 00:00:00 GMT", .date: date]
    private static let changed = RangeServer(RangeServer.content(100, version: 2), [.eTag: "\"v2\""])

    /// Interrupts a call, changes the resource, and calls again.
    private func changing(
        _ conduct: Conduct = .honest,
        _ resource: RangeServer = RangeServer(),
        to changed: RangeServer = Self.changed
    ) async throws -> (scene: TransferScene, result: ResumedDownload) {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), conduct, resource: resource)
        #expect(await scene.failure() != nil)
        scene.change { $0 = changed }
        return (scene, try await scene.download())
    }

    // MARK: Another version

    @Test func `a new entity tag begins again, even if the length is the same`() async throws {
        let (scene, result) = try await self.changing()
        scene.expectComplete()
        #expect(result.restart == .resourceChanged)
        #expect(result.resumedByteCount == 0)
        #expect(result.response?.statusCode == 200)
        #expect(scene.conditions == [nil, "\"v1\""])
    }

    @Test func `a change within the call begins again, too`() async throws {
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 40),
            Conduct { _, request in Self.changed.answer(request) }
        )
        let result = try await scene.download()
        expectEqual(scene.bytes(TransferScene.file), Self.changed.content)
        #expect(result.restart == .resourceChanged)
        #expect(scene.requests.count == 2)
    }

    @Test func `a part of another version is not used`() async throws {
        let (scene, result) = try await self.changing(.ignoreCondition)
        scene.expectComplete()
        #expect(result.restart == .resourceChanged)
        #expect(scene.ranges == [nil, "bytes=40-", nil])
    }

    @Test func `another length is another version, whatever the entity tag says`() async throws {
        let longer = RangeServer(RangeServer.content(120, version: 2))
        for conduct in [Conduct.honest, .ignoreRange] {
            let (scene, result) = try await self.changing(conduct, to: longer)
            scene.expectComplete()
            #expect(result.restart == .resourceChanged)
        }
    }

    @Test func `a shorter version is found by its length`() async throws {
        let (scene, result) = try await self.changing(
            .ignoreCondition,
            to: RangeServer(RangeServer.content(30, version: 2), [.eTag: "\"v2\""])
        )
        scene.expectComplete()
        #expect(result.restart == .resourceChanged)
    }

    @Test func `another date is another version`() async throws {
        var changed = RangeServer(RangeServer.content(100, version: 2), Self.dated)
        changed.fields[.lastModified] = "Thu, 02 Jan 2025 00:00:00 GMT"
        let (scene, result) = try await self.changing(.honest, RangeServer(Self.dated), to: changed)
        scene.expectComplete()
        #expect(result.restart == .resourceChanged)
    }

    @Test func `a resource that changes during each of two requests ends the call`() async throws {
        let part = Conduct { _, request in Self.changed.part((request.firstByte ?? 0)..<100) }
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), part, .cut(afterBodyByteCount: 50), part)
        #expect(await scene.fault(TransferScene.url, .immediate) == .protocolViolation("RFC 9110 §13.1.5"))
        try scene.expectUnfinished(50)
        _ = try await scene.download()
        scene.expectComplete()
    }

    // MARK: No way to continue

    @Test func `a server that ignores the range sends the whole again`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), .ignoreRange)
        #expect(await scene.failure() != nil)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(result.restart == .rangesNotSupported)
        #expect((result.byteCount, result.resumedByteCount) == (100, 0))
    }

    static let unidentified: [HTTPFields] = [
        [:], [.eTag: "W/\"v1\""], [.eTag: "v1"], [.lastModified: date, .date: date], [.lastModified: date],
        [.eTag: "W/\"v1\""] + dated, [.eTag: "\"v1\"", .acceptRanges: "none"],
    ]

    @Test(arguments: unidentified.indices)
    func `without a strong validator each call begins again, and leaves nothing`(index: Int) async throws {
        let resource = RangeServer(Self.unidentified[index])
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 40),
            .cut(afterBodyByteCount: 50),
            resource: resource
        )
        #expect(await scene.failure() != nil)
        #expect(try scene.folder.names == [])
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, nil, nil])
        #expect(result.restart == .noValidator)
        #expect(result.resumedByteCount == 0)
    }

    @Test func `with only a date another URL begins again, and the same URL does not`() async throws {
        for (url, restart) in [("\(TransferScene.url)2", DownloadRestart.otherURL), (TransferScene.url + "?a", nil)] {
            let scene = try TransferScene(.cut(afterBodyByteCount: 40), resource: RangeServer(Self.dated))
            #expect(await scene.failure() != nil)
            let result = try await scene.download(url)
            scene.expectComplete()
            #expect(result.restart == restart)
            #expect(result.resumedByteCount == (restart == nil ? 40 : 0))
        }
    }
}
