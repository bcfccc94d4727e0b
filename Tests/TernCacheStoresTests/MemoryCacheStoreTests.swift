// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCaching
import TernFoundation
import TestSupport
import Testing

@testable import TernCacheStores

@Suite("Cache in memory", .hangLimit)
struct MemoryCacheStoreTests {
    private static func key(_ number: Int) throws -> CacheKey {
        CacheKey(try #require(URL(string: "http://test/\(number)")))
    }

    private static func store(_ store: MemoryCacheStore, _ number: Int, _ byteCount: Int) async throws {
        let writer = try await store.makeWriter(for: try Self.key(number))
        try await writer.append(ByteBuffer(repeating: 1, count: byteCount))
        let response = StoredResponse(statusCode: 200, fields: [:], requestTime: 0, responseTime: 0)
        try await writer.commit(response)
    }

    @Test func `what was used longest ago goes first`() async throws {
        let store = MemoryCacheStore(maximumByteCount: 16_000, maximumBodyByteCount: 5000)
        for number in 0..<4 { try await Self.store(store, number, 2000) }
        _ = try await store.entries(for: try Self.key(0))
        try await Self.store(store, 4, 2000)
        var left: [Int] = []
        for number in 0..<5 where !(try await store.entries(for: try Self.key(number)).isEmpty) { left.append(number) }
        #expect(left == [0, 2, 3, 4])
        #expect(store.byteCount <= 16_000)
    }

    @Test func `of the URL that was used last, the oldest variants go`() async throws {
        let store = MemoryCacheStore(maximumByteCount: 16_000, maximumBodyByteCount: 5000)
        try await Self.store(store, 0, 2000)
        for number in 1..<8 {
            let response = StoredResponse(
                statusCode: 200,
                fields: [.eTag: "\(number)"],
                requestTime: 0,
                responseTime: 0,
                variant: StoredResponse.Variant(nominations: [.init(name: "accept", digest: "\(number)")])
            )
            let writer = try await store.makeWriter(for: try Self.key(1))
            try await writer.append(ByteBuffer(repeating: 1, count: 2000))
            try await writer.commit(response)
        }
        let left = try await store.entries(for: try Self.key(1)).compactMap(\.response.entityTag)
        #expect(left == (1..<8).reversed().prefix(left.count).map { "\($0)" })
        #expect(left.count >= 3 && store.byteCount <= 16_000)
        #expect(try await store.entries(for: try Self.key(0)).isEmpty)
    }

    @Test func `bytes are counted, also when entries are replaced, updated and removed`() async throws {
        let store = MemoryCacheStore()
        try await Self.store(store, 1, 1000)
        let once = store.byteCount
        try await Self.store(store, 1, 1000)
        #expect(store.byteCount == once && once > 1000)
        var entry = try #require(try await store.entries(for: try Self.key(1)).first)
        entry.response.fields[.eTag] = "\"a\""
        try await store.update(entry, for: try Self.key(1))
        #expect(store.byteCount > once)
        try await store.remove(try Self.key(1))
        #expect(store.byteCount == 0)
        try await store.update(entry, for: try Self.key(1))
        #expect(store.byteCount == 0)
        try await Self.store(store, 2, 1000)
        try await store.removeAll()
        #expect(store.byteCount == 0)
    }

    @Test func `an entry counts with what it takes in memory, and not with its bytes alone`() async throws {
        let store = MemoryCacheStore(maximumByteCount: 1 << 20)
        for number in 0..<2000 { try await Self.store(store, number, 1) }
        var count = 0
        for number in 0..<2000 where !(try await store.entries(for: try Self.key(number)).isEmpty) { count += 1 }
        #expect(count > 100 && count < 1000)
        #expect(store.byteCount >= count * 1024 && store.byteCount <= 1 << 20)
        let other = MemoryCacheStore(maximumByteCount: 1 << 20, maximumBodyByteCount: 1 << 20)
        try await Self.store(other, 1, 33_000)
        #expect(other.byteCount >= 65_536)  // a buffer is a power of two
    }

    @Test func `there are no more entries than may be, whatever their length`() async throws {
        let store = MemoryCacheStore(1 << 20, maximumEntryCount: 10)
        for number in 0..<11 { try await Self.store(store, number, 1) }
        var left: [Int] = []
        for number in 0..<11 where !(try await store.entries(for: try Self.key(number)).isEmpty) { left.append(number) }
        #expect(left == Array(2..<11))
    }

    @Test func `bodies that are written at once take half of the store, and give it back`() async throws {
        let store = MemoryCacheStore(maximumByteCount: 10_000, maximumBodyByteCount: 2000)
        do {
            var writers: [any CacheWriter] = []
            for number in 0..<2 {
                let writer = try await store.makeWriter(for: try Self.key(number))
                try await writer.append(ByteBuffer(repeating: 1, count: 2000))
                writers.append(writer)
            }
            await #expect(throws: CacheStoreError.tooLarge) { try await Self.store(store, 2, 1001) }
            withExtendedLifetime(writers) {}
        }
        try await Self.store(store, 2, 1001)
    }

    @Test func `a body that is too long is refused`() async throws {
        let store = MemoryCacheStore(maximumByteCount: 1000)
        #expect(store.maximumBodyByteCount == 100)
        await #expect(throws: CacheStoreError.tooLarge) { try await Self.store(store, 1, 101) }
        #expect(store.byteCount == 0)
        #expect(MemoryCacheStore(maximumByteCount: 1000, maximumBodyByteCount: -1).maximumBodyByteCount == 0)
    }

    @Test func `keys are of what is sent`() throws {
        func name(_ text: String) throws -> String { CacheKey(try #require(URL(string: text))).name }
        #expect(try name("http://Test:80/a?b#c") == name("http://user:secret@test/a?b"))
        #expect(try name("http://test/a") != name("http://test/b"))
        #expect(try name("http://test/a") != name("https://test/a"))
        #expect(try name("http://test/a").utf8.count == 64)
        let url = try #require(URL(string: "http://test/a"))
        #expect(CacheKey(url, unixSocketPath: "/s") != CacheKey(url))
    }
}
