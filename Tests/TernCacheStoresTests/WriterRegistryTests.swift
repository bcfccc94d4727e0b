// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCaching
import TernFoundation
import TestSupport
import Testing

@testable import TernCacheStores

@Suite("Responses that come after their URL was forgotten", .hangLimit)
struct WriterRegistryTests {
    private static let key = CacheKey.test
    private static let other = CacheKey(URL(fileURLWithPath: "/other"))
    private static let response = StoredResponse(statusCode: 200, fields: [:], requestTime: 1, responseTime: 2)

    @Test func `a writer is open until it ends or is revoked`() {
        var writers = WriterRegistry()
        let ids = [Self.key, Self.key, Self.other].map { writers.begin($0) }
        #expect(Set(ids).count == 3)
        let isFirstOpen = writers.end(ids[0])
        let isFirstOpenAgain = writers.end(ids[0])
        #expect(isFirstOpen && !isFirstOpenAgain)
        writers.revoke(Self.key)
        #expect(!writers.isOpen(ids[1]) && writers.isOpen(ids[2]))
        let next = writers.begin(Self.key)
        #expect(writers.isOpen(next))
        writers.revokeAll()
        #expect(!writers.isOpen(next) && !writers.isOpen(ids[2]) && writers.isEmpty)
    }

    @Test(arguments: [true, false], [true, false])
    func `what a writer brings after its URL was forgotten is not kept`(isOnDisk: Bool, isAll: Bool) async throws {
        try await withAbsentFolder { folder in
            let store: any CacheStore = isOnDisk ? DiskCacheStore(directory: folder) : MemoryCacheStore()
            let writer = try await store.makeWriter(for: Self.key)
            let other = try await store.makeWriter(for: Self.other)
            try await writer.append(ByteBuffer(string: "old"))
            if isAll { try await store.removeAll() } else { try await store.remove(Self.key) }
            let late = try await store.makeWriter(for: Self.key)
            try? await writer.commit(Self.response)
            #expect(try await store.entries(for: Self.key).isEmpty)
            try? await other.commit(Self.response)
            #expect(try await store.entries(for: Self.other).isEmpty == isAll)
            try await late.commit(Self.response)
            #expect(try await store.entries(for: Self.key).count == 1)
            guard isOnDisk else { return }
            let bodies = folder.appendingPathComponent("bodies").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: bodies).count == (isAll ? 1 : 2))
        }
    }
}
