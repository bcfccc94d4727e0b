// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import NIOCore
import Tern
import TernCaching
import TernFoundation
import TernTesting

/// A client with a cache and with connections in memory.
struct CacheScene: Sendable {
    let scene: ClientScene
    let store: any CacheStore

    /// Creates a scene.
    ///
    /// The closure `answer` gets the number of the request, from 1, and the request.
    init(
        store: any CacheStore = MemoryCacheStore(),
        policy: CachePolicy = .useProtocol,
        plan: ConnectionPlan = .accept(),
        _ change: (inout Client.Configuration) -> Void = { _ in },
        answer: @escaping @Sendable (Int, ReceivedRequest) -> ScriptedResponse
    ) {
        var configuration = Client.Configuration()
        configuration.cache = store
        configuration.cachePolicy = policy
        change(&configuration)
        self.store = store
        self.scene = ClientScene(plan: plan, configuration) { request in answer(request.number ?? 1, request) }
    }

    var client: Client { self.scene.client }
    var requests: [ReceivedRequest] { self.scene.server.requests }

    /// Returns the result of a request as one line: the status, the body, and the source of the response.
    func get(_ request: Request = Request(url: testURL)) async throws -> String {
        let (data, response) = try await self.client.data(for: request)
        return "\(response.statusCode) \(String(decoding: data, as: UTF8.self)) \(response.cacheStatus.word)"
    }

    func advance(_ seconds: Int) { self.scene.clock.advance(by: .seconds(seconds)) }

    /// Returns the number of entries for the URL of most tests.
    func entryCount(_ url: URL = testURL) async throws -> Int { try await self.store.entries(for: CacheKey(url)).count }
}

extension Client {
    /// Returns the error of a call that fails.
    func failure(_ request: Request) async -> ClientError? {
        do throws(ClientError) {
            _ = try await self.data(for: request)
            return nil
        } catch {
            return error
        }
    }
}

extension Response.CacheStatus {
    var word: String {
        switch self {
        case .network: "network"
        case .cached(let age): "cached \(age.components.seconds)"
        case .stale(let age): "stale \(age.components.seconds)"
        case .revalidated(let age): "revalidated \(age.components.seconds)"
        @unknown default: "?"
        }
    }
}

/// A store of which one method, or a method of its writer, fails.
final class FailingStore: CacheStore {
    enum Method: CaseIterable, Sendable {
        case entries, body, bodyGone, makeWriter, append, commit, update, remove
    }

    let maximumBodyByteCount: Int64 = 1 << 20
    private let base = MemoryCacheStore()
    private let method: Method

    init(_ method: Method) { self.method = method }

    private func fail(_ method: Method) throws(CacheStoreError) {
        if self.method == method { throw .other("\(method)") }
    }

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        try self.fail(.entries)
        return try await self.base.entries(for: key)
    }

    func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody? {
        try self.fail(.body)
        return self.method == .bodyGone ? nil : try await self.base.body(of: entry, for: key)
    }

    func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter {
        try self.fail(.makeWriter)
        let method = self.method
        return Writer(try await self.base.makeWriter(for: key)) { step throws(CacheStoreError) in
            if step == method { throw .tooLarge }
        }
    }

    func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) {
        try self.fail(.update)
        try await self.base.update(entry, for: key)
    }

    func remove(_ key: CacheKey) async throws(CacheStoreError) {
        try self.fail(.remove)
        try await self.base.remove(key)
    }

    func removeAll() async throws(CacheStoreError) { try await self.base.removeAll() }

    private final class Writer: CacheWriter {
        private let base: any CacheWriter
        private let check: @Sendable (Method) throws(CacheStoreError) -> Void

        init(_ base: any CacheWriter, _ check: @escaping @Sendable (Method) throws(CacheStoreError) -> Void) {
            self.base = base
            self.check = check
        }

        func append(_ bytes: ByteBuffer) async throws(CacheStoreError) {
            try self.check(.append)
            try await self.base.append(bytes)
        }

        func commit(
            _ response: StoredResponse,
            replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
        ) async throws(CacheStoreError) {
            try self.check(.commit)
            try await self.base.commit(response, replacing: isReplaced)
        }
    }
}
