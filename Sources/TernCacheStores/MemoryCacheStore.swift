// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernCaching
public import TernTransport

/// A store that keeps responses in memory, with a limit, beyond which it removes those of the URLs that were least recently used.
public final class MemoryCacheStore: CacheStore {
    fileprivate struct Item {
        /// The memory of objects, tables, and the overhead of strings.
        private static let entryByteCount: Int64 = 1024
        /// The overhead of a header field, or of a request field that `Vary` names.
        private static let fieldByteCount: Int64 = 320

        var entry: CacheEntry { didSet { self.byteCount = Self.byteCount(of: self.entry, self.body) } }
        let body: ByteBuffer
        private(set) var byteCount: Int64

        init(entry: CacheEntry, body: ByteBuffer) {
            self.entry = entry
            self.body = body
            self.byteCount = Self.byteCount(of: entry, body)
        }

        /// Counts the head, so that responses without a body cannot grow the store without limit, and the buffer, which may
        /// exceed the body.
        private static func byteCount(of entry: CacheEntry, _ body: ByteBuffer) -> Int64 {
            let fieldCount = entry.response.fields.count + entry.response.variant.nominations.count
            let head = Int64(entry.response.encoded.count) + Int64(fieldCount) * Self.fieldByteCount
            return Int64(body.storageCapacity) + head + Self.entryByteCount
        }
    }

    fileprivate struct State {
        var items: [CacheKey: [Item]] = [:]
        var uses: [CacheKey: UInt64] = [:]
        var lastUse: UInt64 = 0
        var lastID: UInt64 = 0
        var size = CacheSize()
        var writers = WriterRegistry()
    }

    /// The maximum number of responses in the store.
    ///
    /// Beyond it, the least recently used responses are removed.
    static let maximumEntryCount = 65536

    package let maximumByteCount: Int64
    public let maximumBodyByteCount: Int64
    private let limit: CacheSize
    fileprivate let budget: WritingBudget

    private let state = Mutex(State())

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - maximumByteCount: The maximum memory of all entries, in bytes: heads, bodies, and an estimate of the overhead, which is
    ///     at least 1 KiB for each entry. The store also keeps at most 65,536 entries, and at most 16 for one URL.
    ///   - maximumBodyByteCount: The maximum length of a stored body, in bytes. Defaults to a tenth of `maximumByteCount`.
    public convenience init(maximumByteCount: Int64 = 16 << 20, maximumBodyByteCount: Int64? = nil) {
        self.init(maximumByteCount, maximumBodyByteCount, maximumEntryCount: Self.maximumEntryCount)
    }

    init(_ maximumByteCount: Int64, _ maximumBodyByteCount: Int64? = nil, maximumEntryCount: Int) {
        self.maximumByteCount = max(0, maximumByteCount)
        self.maximumBodyByteCount = max(0, maximumBodyByteCount ?? self.maximumByteCount / 10)
        self.limit = CacheSize(byteCount: self.maximumByteCount, entryCount: maximumEntryCount)
        self.budget = WritingBudget(self.maximumByteCount, self.maximumBodyByteCount)
    }

    package var byteCount: Int64 { self.state.withLock { $0.size.byteCount } }

    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        self.state.withLock { state in
            state.touch(key)
            return (state.items[key] ?? []).map(\.entry)
        }
    }

    public func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody? {
        self.state.withLock { $0.items[key]?.first { $0.entry.id == entry.id } }.map { ResponseBody($0.body) }
    }

    public func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter {
        MemoryCacheWriter(self, key, self.state.withLock { $0.writers.begin(key) })
    }

    public func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) {
        self.state.withLock { state in
            guard let index = state.items[key]?.firstIndex(where: { $0.entry.id == entry.id }) else { return }
            let before = state.items[key]?[index].byteCount ?? 0
            state.items[key]?[index].entry = entry
            state.size.byteCount += (state.items[key]?[index].byteCount ?? 0) - before
            state.shrink(to: self.limit)
        }
    }

    public func remove(_ key: CacheKey) async throws(CacheStoreError) {
        self.state.withLock { state in
            state.writers.revoke(key)
            state.remove(key)
        }
    }

    public func removeAll() async throws(CacheStoreError) {
        self.state.withLock { state in
            state.writers.revokeAll()
            for key in Array(state.items.keys) { state.remove(key) }
        }
    }

    fileprivate func end(_ writer: WriterRegistry.ID) { self.state.withLock { _ = $0.writers.end(writer) } }

    fileprivate func insert(
        _ response: StoredResponse,
        _ body: ByteBuffer,
        _ key: CacheKey,
        by writer: WriterRegistry.ID,
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
            state.size.byteCount += state.items[key]?.reduce(0) { $0 + $1.byteCount } ?? 0
            state.size.entryCount += state.items[key]?.count ?? 0
            state.touch(key)
            state.shrink(to: self.limit)
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
        self.size.byteCount -= items.reduce(0) { $0 + $1.byteCount }
        self.size.entryCount -= items.count
    }

    /// Removes the entries of the least recently used URLs, the oldest of a URL first, until the size is a tenth below the limit,
    /// if it exceeds the limit.
    mutating func shrink(to limit: CacheSize) {
        guard !self.size.fits(limit) else { return }
        let goal = limit.afterMakingRoom
        for key in self.uses.sorted(by: { $0.value < $1.value }).map(\.key) {
            while !self.size.fits(goal), let item = self.items[key]?.popLast() {
                self.size.byteCount -= item.byteCount
                self.size.entryCount -= 1
            }
            guard self.items[key]?.isEmpty == true else { return }
            self.remove(key)
        }
    }
}

private final class MemoryCacheWriter: CacheWriter {
    private let store: MemoryCacheStore
    private let key: CacheKey
    private let id: WriterRegistry.ID
    private let body = Mutex(ByteBuffer())

    init(_ store: MemoryCacheStore, _ key: CacheKey, _ id: WriterRegistry.ID) {
        self.store = store
        self.key = key
        self.id = id
    }

    deinit {
        self.store.end(self.id)
        self.store.budget.give(Int64(self.body.withLock { $0.readableBytes }))
    }

    func append(_ bytes: ByteBuffer) async throws(CacheStoreError) {
        let (limit, budget) = (self.store.maximumBodyByteCount, self.store.budget)
        try self.body.withLock { body throws(CacheStoreError) in
            guard Int64(body.readableBytes + bytes.readableBytes) <= limit else { throw .tooLarge }
            try budget.take(Int64(bytes.readableBytes))
            body.writeImmutableBuffer(bytes)  // copies, because a slice would retain the whole original buffer
        }
    }

    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreError) {
        self.store.insert(response, self.body.withLock { $0 }, self.key, by: self.id, replacing: isReplaced)
    }
}
