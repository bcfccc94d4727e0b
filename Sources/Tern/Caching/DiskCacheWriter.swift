// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernCaching
import TernTransport

/// Writes one response: the body beside its place while it comes, then both into their places.
///
/// Nothing is flushed to the disk (`fsync`): what a loss of power tears, its checksum tells.
final class DiskCacheWriter: CacheWriter {
    private let store: DiskCacheStore
    private let key: CacheKey
    private let id: OpenWriters.ID
    /// Created when there is something to write.
    private let file = Mutex<BodyFile?>(nil)

    init(_ store: DiskCacheStore, _ key: CacheKey, _ id: OpenWriters.ID) {
        self.store = store
        self.key = key
        self.id = id
    }

    deinit { self.store.end(self.id) }

    func append(_ bytes: ByteBuffer) async throws(CacheStoreFailure) {
        let limit = self.store.maximumBodyByteCount
        try await self.perform { file throws(CacheStoreFailure) in try file.append(bytes, limit: limit) }
    }

    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreFailure) {
        let file = try await self.perform { file throws(CacheStoreFailure) in try file.settle() }
        try await self.store.insert(file.record(response), self.key, by: self.id, replacing: isReplaced)
    }

    /// Does something to the file that may wait for a disk, where nobody else has to; creates it first.
    @discardableResult
    private func perform(
        _ work: @escaping @Sendable (BodyFile) throws(CacheStoreFailure) -> Void
    ) async throws(CacheStoreFailure) -> BodyFile {
        try await DispatchQueue.global().perform {
            Result { () throws(CacheStoreFailure) in
                let file = try self.opened()
                try work(file)
                return file
            }
        }.get()
    }

    /// One task writes, a piece after the other.
    private func opened() throws(CacheStoreFailure) -> BodyFile {
        if let file = self.file.withLock({ $0 }) { return file }
        let file = try BodyFile(self.store.files)
        self.file.withLock { $0 = file }
        return file
    }
}
