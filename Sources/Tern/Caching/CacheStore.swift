// SPDX-License-Identifier: Apache-2.0
public import TernTransport

/// Keeps responses to be used again: heads, bodies, and for which requests; what may be used is decided elsewhere.
///
/// A store never makes a call fail: where it throws, the response comes from the network and is not kept. It may be used
/// from any number of tasks at once. What it gives must be what was given to it, whole, or nothing.
public protocol CacheStore: Sendable {
    /// How long a body may be that is kept, in bytes.
    var maximumBodyByteCount: Int64 { get }

    /// What is kept for a URL: one entry for each variant, the latest first.
    ///
    /// - Parameter key: the URL.
    /// - Returns: the entries; none if there are none, or if they cannot be trusted.
    /// - Throws: `CacheStoreFailure`.
    func entries(for key: CacheKey) async throws(CacheStoreFailure) -> [CacheEntry]

    /// The body of an entry, to be read once.
    ///
    /// - Parameters:
    ///   - entry: what ``entries(for:)`` gave.
    ///   - key: its URL.
    /// - Returns: the body; `nil` if it is gone or is not what was stored.
    /// - Throws: `CacheStoreFailure`.
    func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreFailure) -> ResponseBody?

    /// Begins to store a response, before it is asked for.
    ///
    /// Asked for each request that may be stored: what is costly belongs into the first ``CacheWriter/append(_:)``.
    ///
    /// - Parameter key: the URL.
    /// - Returns: what takes the body, and then the head.
    /// - Throws: `CacheStoreFailure`.
    func makeWriter(for key: CacheKey) async throws(CacheStoreFailure) -> any CacheWriter

    /// Replaces the head of an entry, because the server said that it is current; nothing happens if it is gone.
    ///
    /// - Parameters:
    ///   - entry: the entry with its new head.
    ///   - key: its URL.
    /// - Throws: `CacheStoreFailure`.
    func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreFailure)

    /// Forgets what is kept for a URL, and what writers that have begun would still bring.
    ///
    /// - Parameter key: the URL.
    /// - Throws: `CacheStoreFailure`.
    func remove(_ key: CacheKey) async throws(CacheStoreFailure)

    /// Forgets everything, and what writers that have begun would still bring.
    ///
    /// - Throws: `CacheStoreFailure`.
    func removeAll() async throws(CacheStoreFailure)
}

extension CacheStore {
    /// How many variants of one URL are kept: languages, codings and the like are few.
    static var maximumVariantCount: Int { 16 }
}
