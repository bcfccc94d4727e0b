// SPDX-License-Identifier: Apache-2.0
import Crypto
import NIOCore
import Synchronization
import TernCaching
import TernErrors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that a body is written to; released before it is settled, it is deleted.
final class BodyFile: Sendable {
    private struct State {
        var hasher = SHA256()
        var byteCount: Int64 = 0
        var isSettled = false
    }

    private let files: CacheFiles
    private let name: String
    private let descriptor: CInt
    private let state = Mutex(State())

    init(_ files: CacheFiles) throws(CacheStoreFailure) {
        self.files = files
        (self.name, self.descriptor) = try files.create()
    }

    deinit {
        close(self.descriptor)
        if !self.state.withLock({ $0.isSettled }) { self.files.delete(.temporary, self.name) }
    }

    func append(_ bytes: ByteBuffer, limit: Int64) throws(CacheStoreFailure) {
        let isTooLarge = self.state.withLock { state in
            state.byteCount += Int64(bytes.readableBytes)
            bytes.withUnsafeReadableBytes { state.hasher.update(bufferPointer: $0) }
            return state.byteCount > limit
        }
        if isTooLarge { throw .tooLarge }
        let failure = bytes.withUnsafeReadableBytes { FileDescriptor.write($0, to: self.descriptor) }
        if let failure { throw .file(failure) }
    }

    /// Gives the file its place, where no head names it yet.
    func settle() throws(CacheStoreFailure) {
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
