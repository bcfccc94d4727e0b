// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import NIOCore
import Tern
import TernCaching
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Cache: what a client does with its store", .hangLimit)
struct CacheStoreUseTests {
    private static let key = CacheKey(testURL)

    @Test func `a client finds what an earlier one stored`() async throws {
        try await withAbsentFolder { folder in
            let long = String(repeating: "0123456789", count: 100_000)
            for expected in ["network", "cached 0"] {
                let scene = CacheScene(store: DiskCacheStore(directory: folder)) { _, _ in
                    .response(fields: [.cacheControl: "max-age=3600"], body: long)
                }
                let text = try await scene.get()
                #expect(text.hasPrefix("200 \(long) "))
                #expect(text.contains(expected == "network" ? " network" : " cached "))
            }
        }
    }

    /// Removes all stored responses while the first request is in progress.
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
