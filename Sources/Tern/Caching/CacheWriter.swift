// SPDX-License-Identifier: Apache-2.0
public import NIOCore
public import TernCaching

/// Takes one response; released before ``commit(_:)`` has returned, it leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes of the body.
    ///
    /// - Parameter bytes: the bytes.
    /// - Throws: `CacheStoreFailure`; it is then released.
    func append(_ bytes: ByteBuffer) async throws(CacheStoreFailure)

    /// Makes the response one that is found, in place of the one with the same variant; nothing happens if its URL was
    /// forgotten since the writer began.
    ///
    /// - Parameter response: the head.
    /// - Throws: `CacheStoreFailure`; nothing is kept then.
    func commit(_ response: StoredResponse) async throws(CacheStoreFailure)
}
