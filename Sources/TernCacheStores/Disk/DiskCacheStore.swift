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

/// Keeps responses in a folder, bounded by what they take on the disk; what was used longest ago goes first.
///
/// Several processes may share the folder. Files are written beside their place and then renamed, and everything is checked
/// against its SHA-256 before it is used: what was torn by the end of a process or of the machine, altered, or written by
/// another user is not found, and never a wrong answer. What selects a response, such as credentials, is kept as digests that
/// are made with the file `key` of the folder. What a process has not finished when it ends is deleted before anything that
/// is of use.
///
/// Folders that the store makes are for their owner alone (0700), as are files (0600). A folder that was there before is used
/// only if it is the user's, no link, and not writable for its group or others; otherwise nothing is found and nothing kept.
/// In one that others may read, they can see which of the URLs that they know of are kept. Nothing is encrypted.
public final class DiskCacheStore: CacheStore {
    /// The folder; made when a client asks first.
    package let directory: URL
    /// The number of responses that are kept at most, since each takes time to find when room is made.
    static let maximumEntryCount = 65536

    /// How many bytes of the disk are used, about: between two scans, what other processes write is not known.
    ///
    /// Each file counts with its blocks of 4 KiB and 512 bytes for its name and the like; a response has two files.
    package let maximumByteCount: Int64
    public let maximumBodyByteCount: Int64

    let files: CacheFiles
    /// Where heads are read and changed, one after the other.
    private let queue = DispatchQueue(label: "tern.cache")
    /// The queue on which the folder is counted: that may take long, and no call waits for it.
    private let countingQueue = DispatchQueue(label: "tern.cache.counting", qos: .utility)
    private let usage: Mutex<FolderUsage>
    private let writers = Mutex(OpenWriters())
    /// What bodies may take that are not in their places yet.
    let budget: WritingBudget

    /// Creates a store; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - directory: the folder, which should hold nothing else.
    ///   - maximumByteCount: how many bytes of the disk are used; 256 MiB by default.
    ///   - maximumBodyByteCount: how long a body may be that is kept, in bytes; a tenth of the whole by default.
    public init(directory: URL, maximumByteCount: Int64 = 256 << 20, maximumBodyByteCount: Int64? = nil) {
        self.directory = directory
        self.maximumByteCount = max(0, maximumByteCount)
        self.maximumBodyByteCount = maximumBodyByteCount ?? self.maximumByteCount / 10
        self.files = CacheFiles(root: directory.path)
        let limit = CacheSize(byteCount: self.maximumByteCount, entryCount: Self.maximumEntryCount)
        self.usage = Mutex(FolderUsage(limit: limit))
        self.budget = WritingBudget(self.maximumByteCount, self.maximumBodyByteCount)
    }

    /// Makes the folder if it is missing, and looks whether it can be used: a store that cannot use it is silent about that.
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
            if !records.isEmpty { files.touch(.head, key.name) }  // it was used now
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

    /// A writer is released.
    func end(_ writer: OpenWriters.ID) { self.writers.withLock { _ = $0.end(writer) } }

    /// Makes a body that is in its place one that is found; if that cannot be, deletes it.
    func insert(
        _ record: CacheRecord,
        _ key: CacheKey,
        by writer: OpenWriters.ID,
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

    /// Something was changed: counts the folder if there is need, and makes room.
    private func count(_ change: CacheSize) {
        guard self.usage.withLock({ $0.change(by: change) }) else { return }
        let (files, limit) = (self.files, self.usage.withLock { $0.limit })
        self.countingQueue.async {
            var isCounting = true
            while isCounting {
                // Heads are deleted where they are changed, so that none is deleted that was written just now.
                let left = CacheSweep(files: files, deleting: { delete in self.queue.sync(execute: delete) })
                    .run(limit: limit)
                isCounting = self.usage.withLock { $0.counted(left) }
            }
        }
    }

    /// Waits until there is room again, if it is being made.
    func waitForRoom() async {
        await self.countingQueue.perform {}
    }

    // MARK: On the queue

    /// What is kept for a URL, and how much of the disk it takes.
    private func head(of key: CacheKey) -> (records: [CacheRecord], size: CacheSize) {
        guard let bytes = self.files.read(.head, key.name) else { return ([], CacheSize()) }
        let records = CacheRecord.decode(bytes, of: key)
        return (records, CacheRecord.size(of: records, headByteCount: bytes.count))
    }

    /// Writes the records of a URL again, unless `change` returns `false`, and then deletes the bodies that none of them has
    /// any more; returns what `change` returned.
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
