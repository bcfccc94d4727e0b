// SPDX-License-Identifier: Apache-2.0
import Crypto
import Dispatch
import NIOCore
import Synchronization
import TernCaching
import TernConnections
import TernErrors
import TernFiles

/// Writes the body to a temporary file; at the end, body and head get their final names.
///
/// The writer does not flush files to the disk (`fsync`), because checksums reveal data that a power failure damaged.
final class DiskCacheWriter: CacheWriter {
    private let store: DiskCacheStore
    private let key: CacheKey
    private let id: WriterRegistry.ID
    /// Created at its first use.
    private let file = Mutex<BodyFile?>(nil)
    private let queue = DispatchQueue(label: "tern.cache.writer")

    init(_ store: DiskCacheStore, _ key: CacheKey, _ id: WriterRegistry.ID) {
        self.store = store
        self.key = key
        self.id = id
    }

    deinit { self.store.end(self.id) }

    func append(_ bytes: ByteBuffer) async throws(CacheStoreError) {
        let limit = self.store.maximumBodyByteCount
        try await self.perform { file throws(CacheStoreError) in try file.append(bytes, limit: limit) }
    }

    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreError) {
        let file = try await self.perform { file throws(CacheStoreError) in try file.settle() }
        try await self.store.insert(file.record(response), self.key, by: self.id, replacing: isReplaced)
    }

    /// Performs `work` on the writer's queue, because a disk may be slow.
    @discardableResult
    private func perform(
        _ work: @escaping @Sendable (BodyFile) throws(CacheStoreError) -> Void
    ) async throws(CacheStoreError) -> BodyFile {
        try await self.queue.perform {
            Result { () throws(CacheStoreError) in
                let file = try self.opened()
                try work(file)
                return file
            }
        }.get()
    }

    /// Runs only on the writer's serial queue, so two calls cannot both create a file.
    private func opened() throws(CacheStoreError) -> BodyFile {
        if let file = self.file.withLock({ $0 }) { return file }
        let file = try BodyFile(self.store.files, self.store.budget)
        self.file.withLock { $0 = file }
        return file
    }
}

/// A file with a body, which is deleted if the object is released before ``settle()`` has succeeded.
final class BodyFile: Sendable {
    private struct State {
        var hasher = SHA256()
        var byteCount: Int64 = 0
        /// The number of bytes that this file has reserved in the budget.
        var taken: Int64 = 0
        var isSettled = false
    }

    private let files: CacheFiles
    private let budget: WritingBudget
    private let name: String
    /// Open until this object is released, so that no ``CacheSweep`` takes the file for an abandoned one.
    private let descriptor: CInt
    private let state = Mutex(State())

    init(_ files: CacheFiles, _ budget: WritingBudget) throws(CacheStoreError) {
        self.files = files
        self.budget = budget
        (self.name, self.descriptor) = try files.create()
    }

    deinit {
        OpenFile.closeLocked(self.descriptor)
        let (isSettled, taken) = self.state.withLock { ($0.isSettled, $0.taken) }
        if !isSettled { self.files.delete(.temporary, self.name) }
        self.budget.give(taken)
    }

    func append(_ bytes: ByteBuffer, limit: Int64) throws(CacheStoreError) {
        let isTooLarge = self.state.withLock { state in
            state.byteCount += Int64(bytes.readableBytes)
            bytes.withUnsafeReadableBytes { state.hasher.update(bufferPointer: $0) }
            return state.byteCount > limit
        }
        if isTooLarge { throw .tooLarge }
        try self.budget.take(Int64(bytes.readableBytes))
        self.state.withLock { $0.taken += Int64(bytes.readableBytes) }
        let failure = bytes.withUnsafeReadableBytes { OpenFile.write($0, to: self.descriptor) }
        if let failure { throw .file(failure) }
    }

    /// Gives the file its final name as a body, which no head file names yet.
    func settle() throws(CacheStoreError) {
        try self.files.move(self.name, to: .body, self.name)
        self.state.withLock { $0.isSettled = true }
    }

    func record(_ response: StoredResponse) -> CacheRecord {
        self.state.withLock { state in
            let entry = CacheEntry(id: self.name, response: response, bodyByteCount: state.byteCount)
            return CacheRecord(entry: entry, bodyDigest: state.hasher.finalize().hexadecimal)
        }
    }
}
