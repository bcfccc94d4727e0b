// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Tern
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        let store = MemoryCacheStore(maximumByteCount: 10_000, maximumBodyByteCount: 5000)
        for number in 0..<4 { try await Self.store(store, number, 2000) }
        _ = try await store.entries(for: try Self.key(0))
        try await Self.store(store, 4, 2000)
        var left: [Int] = []
        for number in 0..<5 where !(try await store.entries(for: try Self.key(number)).isEmpty) { left.append(number) }
        #expect(left == [0, 2, 3, 4])
        #expect(store.byteCount <= 10_000)
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

    @Test func `a body that is too long is refused`() async throws {
        let store = MemoryCacheStore(maximumByteCount: 1000)
        #expect(store.maximumBodyByteCount == 100)
        await #expect(throws: CacheStoreFailure.tooLarge) { try await Self.store(store, 1, 101) }
        #expect(store.byteCount == 0)
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
