// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernCaching
import TernErrors
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps responses in a folder, bounded by their bytes; what was used longest ago goes first.
///
/// Several processes may share the folder. Files are written beside their place and then renamed, and everything is checked
/// against its SHA-256 before it is used: what was torn by the end of a process or of the machine, or altered by somebody,
/// is not found, and never a wrong answer. Folders are for their owner alone (0700), as are files (0600); nothing is
/// encrypted.
public final class DiskCacheStore: CacheStore {
    /// The folder; made when something is stored first.
    public let directory: URL
    /// How many bytes are kept, about: between two scans, what other processes write is not known.
    public let maximumByteCount: Int64
    public let maximumBodyByteCount: Int64

    let files: CacheFiles
    private let queue = DispatchQueue(label: "tern.cache")
    /// How many bytes there are, as far as is known; `nil` before the first scan.
    private let byteCount = Mutex<Int64?>(nil)

    /// Creates a store; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - directory: the folder, which should hold nothing else.
    ///   - maximumByteCount: how many bytes of files are kept; 256 MiB by default.
    ///   - maximumBodyByteCount: how long a body may be that is kept, in bytes; a tenth of the whole by default.
    public init(directory: URL, maximumByteCount: Int64 = 256 << 20, maximumBodyByteCount: Int64? = nil) {
        self.directory = directory
        self.maximumByteCount = max(0, maximumByteCount)
        self.maximumBodyByteCount = maximumBodyByteCount ?? self.maximumByteCount / 10
        self.files = CacheFiles(root: directory.path)
    }

    public func entries(for key: CacheKey) async throws(CacheStoreFailure) -> [CacheEntry] {
        let files = self.files
        return await self.perform { () -> [CacheEntry] in
            let records = CacheRecord.decode(files.read(.head, key.name), of: key)
            if !records.isEmpty { files.touch(.head, key.name) }  // it was used now
            return records.map(\.entry)
        }
    }

    public func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreFailure) -> ResponseBody? {
        let files = self.files
        let records = await self.perform { CacheRecord.decode(files.read(.head, key.name), of: key) }
        guard let record = records.first(where: { $0.entry.id == entry.id }) else { return nil }
        if let body = await VerifiedFile.body(files.path(.body, entry.id), record) { return body }
        try await self.remove(key)  // torn or altered
        return nil
    }

    public func makeWriter(for key: CacheKey) async throws(CacheStoreFailure) -> any CacheWriter {
        let files = self.files
        let result = await self.perform { () -> Result<BodyFile, CacheStoreFailure> in
            Result { () throws(CacheStoreFailure) in try BodyFile(files) }
        }
        return DiskCacheWriter(self, key, try result.get())
    }

    public func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreFailure) {
        try await self.change(key) { records in
            guard let index = records.firstIndex(where: { $0.entry.id == entry.id }) else { return false }
            records[index].entry.response = entry.response
            return true
        }
    }

    public func remove(_ key: CacheKey) async throws(CacheStoreFailure) {
        let files = self.files
        await self.perform {
            let records = CacheRecord.decode(files.read(.head, key.name), of: key)
            files.delete(.head, key.name)
            for record in records { files.delete(.body, record.entry.id) }
        }
    }

    public func removeAll() async throws(CacheStoreFailure) {
        let files = self.files
        await self.perform {
            self.byteCount.withLock { $0 = nil }
            files.deleteAll()
        }
    }

    /// Makes a body that is in its place one that is found.
    func insert(_ record: CacheRecord, _ key: CacheKey) async throws(CacheStoreFailure) {
        try await self.change(key) { records in
            records.removeAll { $0.entry.response.variant == record.entry.response.variant }
            records.insert(record, at: 0)
            records = Array(records.prefix(Self.maximumVariantCount))
            return true
        }
        await self.perform { self.shrink(adding: record.entry.bodyByteCount) }
    }

    // MARK: On the queue

    /// Writes the records of a URL anew, and then deletes the bodies that none of them has any more.
    private func change(
        _ key: CacheKey,
        _ change: @escaping @Sendable (inout [CacheRecord]) -> Bool
    ) async throws(CacheStoreFailure) {
        let files = self.files
        let result = await self.perform { () -> Result<Void, CacheStoreFailure> in
            let before = CacheRecord.decode(files.read(.head, key.name), of: key)
            var records = before
            guard change(&records) else { return .success(()) }
            let kept = Set(records.map(\.entry.id))
            return Result { () throws(CacheStoreFailure) in
                try files.replace(.head, key.name, with: CacheRecord.encode(records, of: key))
                for record in before where !kept.contains(record.entry.id) { files.delete(.body, record.entry.id) }
            }
        }
        try result.get()
    }

    /// Makes room, if there is need; what there is, is counted anew then.
    private func shrink(adding byteCount: Int64) {
        let count = self.byteCount.withLock { known in
            let sum = known.map { $0 + byteCount + CacheFiles.estimatedHeadByteCount }
            known = sum
            return sum
        }
        if let count, count <= self.maximumByteCount { return }
        let left = CacheSweep(files: self.files).run(limit: self.maximumByteCount)
        self.byteCount.withLock { $0 = left }
    }

    private func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            self.queue.async { continuation.resume(returning: work()) }
        }
    }
}
