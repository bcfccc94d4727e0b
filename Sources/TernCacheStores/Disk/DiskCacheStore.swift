// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernCaching
import TernConnections
import TernErrors
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores responses in a folder, with a limit for their size on disk.
///
/// Removes the least recently used ones first.
///
/// Several processes may share the folder. Files are written under a temporary name and then renamed, and everything is
/// checked against its SHA-256 before it is used. Data that is incomplete because a process or the machine stopped,
/// that was altered, or that another user wrote, is therefore not found, and never becomes a wrong answer. Fields that
/// select a response, such as credentials, are stored as digests, with the folder's file `key` as the secret.
/// Unfinished files of ended processes are deleted before any useful ones.
///
/// The store creates folders and files that only their owner can access (0700 and 0600). It uses an existing folder
/// only if the folder belongs to the user, is not a link, and is not writable for its group or others; otherwise it
/// finds and stores nothing. If others may read the folder, they can check whether a URL that they know is stored.
/// Nothing is encrypted.
public final class DiskCacheStore: CacheStore {
    /// The folder, which is created on first use.
    package let directory: URL
    /// The maximum number of stored responses, because making room takes time for each.
    static let maximumEntryCount = 65536

    /// The approximate maximum size on disk, in bytes: between two scans, the store does not know what other processes
    /// write.
    ///
    /// Each file counts with its blocks of 4 KiB, and 512 bytes for metadata such as its name. A response has two
    /// files.
    package let maximumByteCount: Int64
    public let maximumBodyByteCount: Int64

    let files: CacheFiles
    /// The queue on which heads are read and changed, one after the other.
    private let queue = DispatchQueue(label: "tern.cache")
    /// The queue on which the folder is measured.
    ///
    /// This may take long, and no call waits for it.
    private let countingQueue = DispatchQueue(label: "tern.cache.counting", qos: .utility)
    private let usage: Mutex<FolderUsage>
    private let writers = Mutex(WriterRegistry())
    /// The budget for bodies that do not have their final names yet.
    let budget: WritingBudget

    /// Creates a store, without reading or writing yet.
    ///
    /// - Parameters:
    ///   - directory: The folder, which should contain nothing else.
    ///   - maximumByteCount: The maximum size on disk, in bytes. Defaults to 256 MiB.
    ///   - maximumBodyByteCount: The maximum length of a stored body, in bytes. Defaults to a tenth of
    ///     `maximumByteCount`.
    public init(directory: URL, maximumByteCount: Int64 = 256 << 20, maximumBodyByteCount: Int64? = nil) {
        self.directory = directory
        self.maximumByteCount = max(0, maximumByteCount)
        self.maximumBodyByteCount = maximumBodyByteCount ?? self.maximumByteCount / 10
        self.files = CacheFiles(root: directory.path)
        let limit = CacheSize(byteCount: self.maximumByteCount, entryCount: Self.maximumEntryCount)
        self.usage = Mutex(FolderUsage(limit: limit))
        self.budget = WritingBudget(self.maximumByteCount, self.maximumBodyByteCount)
    }

    /// Creates the folder if it is missing, and checks whether it is safe to use.
    ///
    /// Without this call, a store does not report an unusable folder.
    ///
    /// - Throws: `CacheStoreError.file` with the reason.
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
            if !records.isEmpty { files.touch(.head, key.name) }  // marks it as used now
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
            self.deleteBodies(of: before.records)
            _ = self.usage.withLock { $0.change(by: CacheSize().difference(to: before.size)) }
        }
    }

    public func removeAll() async throws(CacheStoreError) {
        let files = self.files
        await self.queue.perform {
            self.writers.withLock { $0.revokeAll() }
            files.deleteAll()
        }
    }

    /// Removes a writer that was released.
    func end(_ writer: WriterRegistry.ID) { self.writers.withLock { _ = $0.end(writer) } }

    /// Adds a record for a body with its final name; deletes the body if that fails.
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

    /// Records a change, and measures the folder and makes room if necessary.
    private func count(_ change: CacheSize) {
        guard self.usage.withLock({ $0.change(by: change) }) else { return }
        let (files, limit) = (self.files, self.usage.withLock { $0.limit })
        self.countingQueue.async {
            var isCounting = true
            while isCounting {
                // Delete heads on the queue where they are changed, so that no new one is deleted.
                let left = CacheSweep(files: files, deleting: { delete in self.queue.sync(execute: delete) })
                    .run(limit: limit)
                isCounting = self.usage.withLock { $0.counted(left) }
            }
        }
    }

    /// Waits until the sweep in progress, if any, is complete.
    func waitForRoom() async {
        await self.countingQueue.perform {}
    }

    // MARK: On the queue

    /// Returns the records for a URL, and their size on disk.
    private func head(of key: CacheKey) -> (records: [CacheRecord], size: CacheSize) {
        guard let bytes = self.files.read(.head, key.name) else { return ([], CacheSize()) }
        let records = CacheRecord.decode(bytes, of: key)
        return (records, CacheRecord.size(of: records, headByteCount: bytes.count))
    }

    /// Rewrites the records of a URL, unless `change` returns `false`, and deletes the bodies that are no longer named
    /// in a record.
    ///
    /// Returns the result of `change`.
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
            let kept = Set(records.map(\.entry.id))
            return Result { () throws(CacheStoreError) in
                var size = CacheSize()
                if records.isEmpty {
                    files.delete(.head, key.name)
                } else {
                    let bytes = CacheRecord.encode(records, of: key)
                    try files.replace(.head, key.name, with: bytes)
                    size = CacheRecord.size(of: records, headByteCount: bytes.count)
                }
                self.deleteBodies(of: before.records.filter { !kept.contains($0.entry.id) })
                self.count(size.difference(to: before.size))
                return true
            }
        }
        return try result.get()
    }

    private func deleteBodies(of records: [CacheRecord]) {
        for record in records { self.files.delete(.body, record.entry.id) }
    }
}
