// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernCaching
import TernConnections
import TernErrors
public import TernFoundation
public import TernTransport

/// A store that keeps responses in a folder, with a limit for their size on disk, beyond which it removes those of the URLs that
/// were least recently used.
///
/// Several processes may share the folder. The store reads only files that its user owns and that are not writable for
/// their group or others, and checks the SHA-256 of a response before it returns the response.
///
/// Of the values of request fields that select a response, such as those that `Vary` names, the store keeps only digests, because
/// they may contain credentials. The store keeps the secret for the digests in the folder's file `key`.
///
/// The store creates its folder, and the folders and files in it, so that only their owner can access them (0700 and 0600). It uses
/// an existing folder only if it belongs to the user, is not a link, and is not writable for its group or others; in any other, it
/// finds and stores nothing. A user who can list the files can check whether a URL that they know is stored. Nothing is encrypted.
public final class DiskCacheStore: CacheStore {
    /// The store creates the folder on first use.
    package let directory: URL
    /// The maximum number of responses, because making room takes time for each.
    static let maximumEntryCount = 65536

    /// The approximate maximum size on disk, in bytes, which other processes may exceed until the store measures the folder.
    ///
    /// Beyond it, the least recently used responses are removed. A file counts as its length rounded up to blocks of 4 KiB, plus
    /// 512 bytes.
    package let maximumByteCount: Int64
    public let maximumBodyByteCount: Int64

    let files: CacheFiles
    /// The serial queue on which the store changes head files, and reads them for calls.
    private let queue = DispatchQueue(label: "tern.cache")
    /// The queue on which the store measures the folder and makes room, for which no call waits.
    private let countingQueue = DispatchQueue(label: "tern.cache.counting", qos: .utility)
    private let usage: Mutex<FolderUsage>
    private let writers = Mutex(WriterRegistry())
    let budget: WritingBudget

    /// Creates a store, which does not use the folder yet.
    ///
    /// - Parameters:
    ///   - directory: The folder of the store. It should contain no other files.
    ///   - maximumByteCount: The approximate maximum size on disk, in bytes. A file counts as full blocks of 4 KiB, plus 512 bytes.
    ///     The store also removes responses beyond 65,536 in all, and beyond 16 for one URL.
    ///   - maximumBodyByteCount: The maximum length of a stored body, in bytes. Defaults to a tenth of `maximumByteCount`.
    public init(directory: URL, maximumByteCount: Int64 = 256 << 20, maximumBodyByteCount: Int64? = nil) {
        self.directory = directory
        self.maximumByteCount = max(0, maximumByteCount)
        self.maximumBodyByteCount = max(0, maximumBodyByteCount ?? self.maximumByteCount / 10)
        self.files = CacheFiles(root: directory.path)
        let limit = CacheSize(byteCount: self.maximumByteCount, entryCount: Self.maximumEntryCount)
        self.usage = Mutex(FolderUsage(limit: limit))
        self.budget = WritingBudget(self.maximumByteCount, self.maximumBodyByteCount)
    }

    /// Creates the folder if it is missing, and checks whether it is safe to use, which the store otherwise does not report.
    package func prepareFolder() async throws(CacheStoreError) {
        let files = self.files
        try await self.queue.perform { Result { () throws(CacheStoreError) in try files.prepare() } }.get()
    }

    public func digestKey() async throws(CacheStoreError) -> [UInt8]? {
        let files = self.files
        return try await self.queue.perform { () -> Result<[UInt8], CacheStoreError> in
            Result { () throws(CacheStoreError) in try files.digestKey() }
        }.get()
    }

    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        let files = self.files
        return await self.queue.perform { () -> [CacheEntry] in
            let records = CacheRecord.decode(files.read(.head, key.name), of: key)
            if !records.isEmpty { files.touch(.head, key.name) }  // marks the head as used now
            return records.map(\.entry)
        }
    }

    public func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody? {
        let files = self.files
        let records = await self.queue.perform { CacheRecord.decode(files.read(.head, key.name), of: key) }
        guard let record = records.first(where: { $0.entry.id == entry.id }) else { return nil }
        switch await VerifiedFile.open(files, record) {
        case .whole(let body): return body
        case .unavailable: return nil
        case .altered:
            try await self.change(key) { records in
                records.removeAll { $0.entry.id == entry.id }
                return true
            }
            return nil
        }
    }

    public func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter {
        DiskCacheWriter(self, key, self.writers.withLock { $0.begin(key) })
    }

    public func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) {
        try await self.change(key) { records in
            guard let index = records.firstIndex(where: { $0.entry.id == entry.id }) else { return false }
            records[index].entry.response = entry.response
            return true
        }
    }

    public func remove(_ key: CacheKey) async throws(CacheStoreError) {
        let files = self.files
        await self.queue.perform {
            self.writers.withLock { $0.revoke(key) }
            let before = self.head(of: key)
            files.delete(.head, key.name)
            self.deleteBodies(before.records.map(\.entry.id))
            _ = self.usage.withLock { $0.change(by: CacheSize().difference(to: before.size)) }
        }
    }

    public func removeAll() async throws(CacheStoreError) {
        let files = self.files
        await self.queue.perform {
            self.writers.withLock { $0.revokeAll() }
            files.deleteAll()
            self.usage.withLock { $0.emptied() }
        }
    }

    func end(_ writer: WriterRegistry.ID) { self.writers.withLock { _ = $0.end(writer) } }

    /// Adds the record of a response whose body has its final name, or else deletes the body.
    func insert(
        _ record: CacheRecord,
        _ key: CacheKey,
        by writer: WriterRegistry.ID,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreError) {
        do throws(CacheStoreError) {
            let isInserted = try await self.change(key) { records in
                guard self.writers.withLock({ $0.end(writer) }) else { return false }
                records.removeAll { isReplaced($0.entry.response) }
                records.insert(record, at: 0)
                records = Array(records.prefix(Self.maximumVariantCount))
                return true
            }
            if isInserted { return }
        } catch {
            self.files.delete(.body, record.entry.id)
            throw error
        }
        self.files.delete(.body, record.entry.id)
    }

    // MARK: Room

    /// Starts to measure the folder and make room in the background if necessary.
    private func count(_ change: CacheSize) {
        guard self.usage.withLock({ $0.change(by: change) }) else { return }
        let (files, limit) = (self.files, self.usage.withLock { $0.limit })
        self.countingQueue.async {
            var isCounting = true
            while isCounting {
                // Change head files on the queue of all changes, so that no other change is lost.
                let left = CacheSweep(files: files, changing: { change in self.queue.sync(execute: change) })
                    .run(limit: limit)
                isCounting = self.usage.withLock { $0.counted(left) }
            }
        }
    }

    func waitForRoom() async {
        await self.countingQueue.perform {}
    }

    // MARK: On the queue

    private func head(of key: CacheKey) -> (records: [CacheRecord], size: CacheSize) {
        guard let bytes = self.files.read(.head, key.name) else { return ([], CacheSize()) }
        let records = CacheRecord.decode(bytes, of: key)
        return (records, CacheRecord.size(of: records, headByteCount: bytes.count))
    }

    /// Changes the records, and deletes the bodies of those that are removed or that the head file has no room for; writes nothing
    /// if `change` returns `false`.
    @discardableResult
    private func change(
        _ key: CacheKey,
        _ change: @escaping @Sendable (inout [CacheRecord]) -> Bool
    ) async throws(CacheStoreError) -> Bool {
        let files = self.files
        let result = await self.queue.perform { () -> Result<Bool, CacheStoreError> in
            let before = self.head(of: key)
            var records = before.records
            guard change(&records) else { return .success(false) }
            let (content, kept) = CacheRecord.encode(records, of: key)
            let removed = Set((before.records + records).map(\.entry.id)).subtracting(kept.map(\.entry.id))
            return Result { () throws(CacheStoreError) in
                var size = CacheSize()
                if kept.isEmpty {
                    files.delete(.head, key.name)
                } else {
                    try files.replace(.head, key.name, with: content)
                    size = CacheRecord.size(of: kept, headByteCount: content.count)
                }
                self.deleteBodies(removed)
                self.count(size.difference(to: before.size))
                return true
            }
        }
        return try result.get()
    }

    private func deleteBodies(_ names: some Sequence<String>) {
        for name in names { self.files.delete(.body, name) }
    }
}
