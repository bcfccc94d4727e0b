// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import NIOCore
import TernCaching
import TernTesting
import TestSupport
import Testing

@testable import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Responses that come after their URL was forgotten", .hangLimit)
struct OpenWritersTests {
    private static let key = CacheKey(testURL)
    private static let other = CacheKey(URL(fileURLWithPath: "/other"))
    private static let response = StoredResponse(statusCode: 200, fields: [:], requestTime: 1, responseTime: 2)

    @Test func `a writer is open until it ends or is revoked`() {
        var writers = OpenWriters()
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
        try await withCacheFolder { folder in
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

    /// Removes everything while the first request is on its way.
    private struct SigningOut: Interceptor {
        let store: any CacheStore

        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            let isFirst = call.request.fields[.accept] == "first"
            if isFirst { try? await self.store.removeAll() }
            return try await next.respond(to: call)
        }
    }

    @Test func `an answer to a request from before everything was removed is not kept`() async throws {
        let store = MemoryCacheStore()
        var configuration = Client.Configuration()
        configuration.cache = store
        configuration.attemptInterceptors = [SigningOut(store: store)]
        let scene = ClientScene(configuration) { _ in
            .response(fields: [.cacheControl: "max-age=60"], body: "x")
        }
        _ = try await scene.client.data(for: Request(url: testURL).header(.accept, "first"))
        #expect(try await store.entries(for: Self.key).isEmpty)
        _ = try await scene.client.data(from: testURL)
        #expect(try await store.entries(for: Self.key).count == 1)
    }

    @Test func `an answer to a request from before a change is not kept`() async throws {
        let store = HangingStore(.append)
        let scene = CacheScene(store: store) { number, _ in
            .response(fields: [.cacheControl: "max-age=60"], body: "\(number)")
        }
        async let before = scene.get()
        await store.waitForHang()
        _ = try await scene.client.data(for: Request(.post, "\(testURL)"))
        store.release()
        #expect(try await before == "200 1 network")
        #expect(try await scene.get() == "200 3 network")
        #expect(try await scene.get() == "200 3 cached 0")
    }
}
