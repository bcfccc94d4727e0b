// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
@testable import Tern
import TernCLibrary
import TernErrors
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download to a full disk", .hangLimit)
struct FullDiskTests {
    /// Downloads while all writes to the partial file fail as on a full disk, and returns the fault.
    private func faultOnFullDisk(
        _ scene: TransferScene,
        syncInterval: Int64 = .max,
        maximumRequestCount: Int = 1
    ) async throws -> Fault? {
        var download = try await scene.client.durableDownload(
            to: scene.destination,
            syncInterval: syncInterval,
            maximumRequestCount: maximumRequestCount,
            pieces: PieceLength(minimum: 100_000, maximum: 100_000)
        )
        let full = open("/dev/full", O_RDWR)
        try #require(full >= 0)
        #expect(dup2(full, download.writer.file.descriptor) >= 0)
        close(full)
        do throws(ClientError) {
            _ = try await download.run()
            return nil
        } catch {
            return error.fault
        }
    }

    @Test func `a short content fails at its end`() async throws {
        let scene = try TransferScene()
        #expect(try await self.faultOnFullDisk(scene) == .fileFailed(.diskFull))
        #expect(scene.bytes(TransferScene.file) == nil)
        #expect(scene.bytes(TransferScene.record) == nil)
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test(arguments: [.max, 1000] as [Int64])
    func `a long content fails while it arrives, and the request ends`(syncInterval: Int64) async throws {
        let scene = try TransferScene(
            .stall(afterBodyByteCount: 2_000_000),
            resource: RangeServer(RangeServer.content(3_000_000)),
            plan: .accept(toClient: [.drip(bytesPerPiece: 50_000)])
        )
        #expect(try await self.faultOnFullDisk(scene, syncInterval: syncInterval) == .fileFailed(.diskFull))
        #expect(scene.bytes(TransferScene.file) == nil)
        #expect(scene.bytes(TransferScene.record) == nil)
        try await scene.scene.waitForNoExchange()
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test(arguments: [.max, 1000] as [Int64])
    func `all of several requests end`(syncInterval: Int64) async throws {
        let scene = try TransferScene(resource: RangeServer(RangeServer.content(900_000)))
        let fault = try await self.faultOnFullDisk(scene, syncInterval: syncInterval, maximumRequestCount: 3)
        #expect(fault == .fileFailed(.diskFull))
        #expect(scene.bytes(TransferScene.file) == nil)
        #expect(scene.bytes(TransferScene.record) == nil)
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test func `the bytes of earlier calls stay`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        #expect(try await self.faultOnFullDisk(scene) == .fileFailed(.diskFull))
        try scene.expectUnfinished(40)
        #expect(try await scene.download().resumedByteCount == 40)
        scene.expectComplete()
    }
}
