// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
@testable import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download with several requests, whose space is reserved", .hangLimit)
struct ReservedSpaceTests {
    /// A length that no disk has, so that space for it cannot be reserved.
    private static let excessiveByteCount: Int64 = 1 << 62

    /// A server with a resource of that length, which sends the beginning of each range.
    private static let excessive: ParallelScene.Answer = { server, request, _ in
        guard let first = request.firstByte else { return .response(fields: server.fields, bytes: server.content) }
        let range = first..<min(request.endByte ?? .max, first + 10)
        let fields = server.fields.with(
            .contentRange,
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.excessiveByteCount)"
        )
        return .response(.partialContent, fields: fields, bytes: RangeServer.content(in: range))
    }

    @Test func `a disk that is too small is found after the first response`() async throws {
        let scene = try ParallelScene(answer: Self.excessive)
        #expect(await scene.failure()?.fault == .fileFailed(.diskFull))
        #expect(scene.ranges == ["bytes=0-9"])
        #expect(try scene.folder.names == [])
    }

    @Test func `no more space is reserved than the request allows`() async throws {
        let scene = try ParallelScene(answer: Self.excessive)
        #expect(await scene.failure(limit: 1000)?.fault == .bodyTooLarge)
        #expect(scene.ranges == ["bytes=0-9"])
        #expect(try scene.folder.names == [])
    }

    @Test func `the bytes of earlier calls stay`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let earlier = try TransferScene(in: folder)
        let old = try earlier.storedRecord()
        var record = old
        record.completeLength = Self.excessiveByteCount
        try earlier.overwrite(TransferScene.record, record.encoded)
        let scene = try ParallelScene(in: folder, answer: Self.excessive)
        #expect(await scene.failure()?.fault == .fileFailed(.diskFull))
        #expect(scene.ranges == ["bytes=40-49"])
        #expect(earlier.bytes(TransferScene.record) == record.encoded)
        #expect(earlier.bytes(TransferScene.partial) == RangeServer.content(40))
        try earlier.overwrite(TransferScene.record, old.encoded)
        #expect(try await earlier.download().resumedByteCount == 40)
        earlier.expectComplete()
    }

    @Test(arguments: [1, 4])
    func `reserved bytes do not count`(count: Int) async throws {
        let server = RangeServer(RangeServer.content(200))
        // The second of several responses breaks off, and so do all that follow.
        let scene = try ParallelScene(server) { server, request, number in
            let response = server.answer(request)
            return number == 0 ? response : response.cut(afterBodyByteCount: 5)
        }
        #expect(await scene.failure(2) != nil)
        let record = try scene.transfer.storedRecord()
        #expect(record.ranges.byteCount < 200)
        let partial = try #require(scene.transfer.bytes(TransferScene.partial))
        for range in record.ranges.ranges {
            let bytes = Array(partial[Int(range.lowerBound)..<Int(range.upperBound)])
            expectEqual(bytes, RangeServer.content(in: Int(range.lowerBound)..<Int(range.upperBound)))
        }
        let later = try ParallelScene(server, in: scene.folder)
        let result = try await later.download(count)
        #expect(result.resumedByteCount == record.ranges.byteCount)
        later.expectComplete()
        var missing = ByteRangeSet()
        for range in record.ranges.gaps(in: 0..<200) { missing.insert(range) }
        if count > 1 { later.expectEachByteOnce(later.requests, in: missing) }
    }

    @Test(arguments: [false, true])
    func `a call that ends without a record leaves nothing of the reserved space`(hasRecord: Bool) async throws {
        let scene = try TransferScene()
        if hasRecord { try scene.folder.write("damaged", to: TransferScene.record) }
        let writer = PartialFileWriter(try await PartialFile.open(for: scene.destination))
        try await writer.perform(.reserve(byteCount: 1000))
        await writer.finish()
        #expect(try scene.folder.names == (hasRecord ? [TransferScene.partial, TransferScene.record] : []))
    }
}
