// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernCaching
public import TernTransport

/// Keeps responses in memory, bounded by their bytes; what was used longest ago goes first.
public final class MemoryCacheStore: CacheStore {
    fileprivate struct Item {
        var entry: CacheEntry
        let body: ByteBuffer

        /// Heads count, too, so that many empty bodies fill the store as well.
        var byteCount: Int64 { Int64(self.body.readableBytes) + Int64(self.entry.response.encoded.count) }
    }

    fileprivate struct State {
        var items: [CacheKey: [Item]] = [:]
        var uses: [CacheKey: UInt64] = [:]
        var lastUse: UInt64 = 0
        var lastID: UInt64 = 0
        var byteCount: Int64 = 0
        var writers = OpenWriters()
    }

    /// How many bytes are kept, at most.
    public let maximumByteCount: Int64
    public let maximumBodyByteCount: Int64

    private let state = Mutex(State())

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - maximumByteCount: how many bytes of heads and bodies are kept; 16 MiB by default.
    ///   - maximumBodyByteCount: how long a body may be that is kept, in bytes; a tenth of the whole by default.
    public init(maximumByteCount: Int64 = 16 << 20, maximumBodyByteCount: Int64? = nil) {
        self.maximumByteCount = max(0, maximumByteCount)
        self.maximumBodyByteCount = maximumBodyByteCount ?? self.maximumByteCount / 10
    }

    /// How many bytes of heads and bodies are kept now.
    public var byteCount: Int64 { self.state.withLock { $0.byteCount } }

    public func entries(for key: CacheKey) async throws(CacheStoreFailure) -> [CacheEntry] {
        self.state.withLock { state in
            state.touch(key)
            return (state.items[key] ?? []).map(\.entry)
        }
    }

    public func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreFailure) -> ResponseBody? {
        self.state.withLock { $0.items[key]?.first { $0.entry.id == entry.id } }.map { ResponseBody($0.body) }
    }

    public func makeWriter(for key: CacheKey) async throws(CacheStoreFailure) -> any CacheWriter {
        MemoryCacheWriter(self, key, self.state.withLock { $0.writers.begin(key) })
    }

    public func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreFailure) {
        self.state.withLock { state in
            guard let index = state.items[key]?.firstIndex(where: { $0.entry.id == entry.id }) else { return }
            let before = state.items[key]?[index].byteCount ?? 0
            state.items[key]?[index].entry = entry
            state.byteCount += (state.items[key]?[index].byteCount ?? 0) - before
            state.shrink(to: self.maximumByteCount)
        }
    }

    public func remove(_ key: CacheKey) async throws(CacheStoreFailure) {
        self.state.withLock { state in
            state.writers.revoke(key)
            state.remove(key)
        }
    }

    public func removeAll() async throws(CacheStoreFailure) {
        self.state.withLock { state in
            state.writers.revokeAll()
            for key in Array(state.items.keys) { state.remove(key) }
        }
    }

    /// A writer is released.
    fileprivate func end(_ writer: OpenWriters.ID) { self.state.withLock { _ = $0.writers.end(writer) } }

    fileprivate func insert(
        _ response: StoredResponse,
        _ body: ByteBuffer,
        _ key: CacheKey,
        by writer: OpenWriters.ID,
        replacing isReplaced: (StoredResponse) -> Bool
    ) {
        self.state.withLock { state in
            guard state.writers.end(writer) else { return }
            state.lastID += 1
            let count = Int64(body.readableBytes)
            let entry = CacheEntry(id: String(state.lastID), response: response, bodyByteCount: count)
            var items = (state.items[key] ?? []).filter { !isReplaced($0.entry.response) }
            items.insert(Item(entry: entry, body: body), at: 0)
            state.remove(key)
            state.items[key] = Array(items.prefix(Self.maximumVariantCount))
            state.byteCount += state.items[key]?.reduce(0) { $0 + $1.byteCount } ?? 0
            state.touch(key)
            state.shrink(to: self.maximumByteCount)
        }
    }
}

extension MemoryCacheStore.State {
    mutating func touch(_ key: CacheKey) {
        guard self.items[key] != nil else { return }
        self.lastUse += 1
        self.uses[key] = self.lastUse
    }

    mutating func remove(_ key: CacheKey) {
        let items = self.items.removeValue(forKey: key) ?? []
        self.uses[key] = nil
        self.byteCount -= items.reduce(0) { $0 + $1.byteCount }
    }

    /// Makes room, a tenth more than is needed, so that it is not searched for at each insertion.
    mutating func shrink(to limit: Int64) {
        guard self.byteCount > limit else { return }
        for key in self.uses.sorted(by: { $0.value < $1.value }).map(\.key) {
            guard self.byteCount > limit - limit / 10 else { return }
            self.remove(key)
        }
    }
}

/// Gathers a body.
private final class MemoryCacheWriter: CacheWriter {
    private let store: MemoryCacheStore
    private let key: CacheKey
    private let id: OpenWriters.ID
    private let body = Mutex(ByteBuffer())

    init(_ store: MemoryCacheStore, _ key: CacheKey, _ id: OpenWriters.ID) {
        self.store = store
        self.key = key
        self.id = id
    }

    deinit { self.store.end(self.id) }

    func append(_ bytes: ByteBuffer) async throws(CacheStoreFailure) {
        let limit = self.store.maximumBodyByteCount
        let isTooLarge = self.body.withLock { body in
            body.writeImmutableBuffer(bytes)  // copied: a slice would keep all that it was cut from
            return body.readableBytes > limit
        }
        if isTooLarge { throw .tooLarge }
    }

    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreFailure) {
        self.store.insert(response, self.body.withLock { $0 }, self.key, by: self.id, replacing: isReplaced)
    }
}
