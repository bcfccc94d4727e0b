// SPDX-License-Identifier: Apache-2.0
public import NIOCore
public import TernCaching

/// Takes one response; released before ``commit(_:replacing:)`` has returned, it leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes of the body.
    ///
    /// - Parameter bytes: the bytes.
    /// - Throws: `CacheStoreFailure`; it is then released.
    func append(_ bytes: ByteBuffer) async throws(CacheStoreFailure)

    /// Makes the response one that is found; nothing happens if its URL was forgotten since the writer began.
    ///
    /// - Parameters:
    ///   - response: the head.
    ///   - isReplaced: whether it takes the place of another response that is kept for the URL, because the request that
    ///     it answers would have been answered by that.
    /// - Throws: `CacheStoreFailure`; nothing is kept then.
    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreFailure)
}

extension CacheWriter {
    /// Makes the response one that is found, in place of the one for the same requests.
    ///
    /// - Parameter response: the head.
    /// - Throws: `CacheStoreFailure`; nothing is kept then.
    public func commit(_ response: StoredResponse) async throws(CacheStoreFailure) {
        try await self.commit(response, replacing: { $0.variant == response.variant })
    }
}
