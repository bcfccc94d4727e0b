// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernCaching

/// Writes one response: the body beside its place while it comes, then both into their places.
///
/// Nothing is flushed to the disk (`fsync`): what a loss of power tears, its checksum tells.
final class DiskCacheWriter: CacheWriter {
    private let store: DiskCacheStore
    private let key: CacheKey
    private let file: BodyFile
    private let id: OpenWriters.ID

    init(_ store: DiskCacheStore, _ key: CacheKey, _ file: BodyFile, _ id: OpenWriters.ID) {
        self.store = store
        self.key = key
        self.file = file
        self.id = id
    }

    deinit { self.store.end(self.id) }

    func append(_ bytes: ByteBuffer) async throws(CacheStoreFailure) {
        let (file, limit) = (self.file, self.store.maximumBodyByteCount)
        try await file.perform { () throws(CacheStoreFailure) in try file.append(bytes, limit: limit) }
    }

    func commit(_ response: StoredResponse) async throws(CacheStoreFailure) {
        let file = self.file
        try await file.perform { () throws(CacheStoreFailure) in try file.settle() }
        try await self.store.insert(file.record(response), self.key, by: self.id)
    }
}
