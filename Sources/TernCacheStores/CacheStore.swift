// SPDX-License-Identifier: Apache-2.0
public import NIOCore
public import TernCaching
public import TernErrors
public import TernTransport
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores responses for later use: their heads, their bodies, and the requests that they answer.
///
/// The client decides which responses to use.
///
/// A store never makes a call fail: if it throws, the response comes from the network and is not stored. Any number of
/// tasks may use it at the same time. It must return exactly what was stored, complete, or nothing.
public protocol CacheStore: Sendable {
    /// The maximum length of a stored body, in bytes.
    var maximumBodyByteCount: Int64 { get }

    /// Returns a secret for the digests of request fields, which the client computes before it gives them to the store.
    ///
    /// The fields that select a response may contain credentials. A digest with a secret key cannot be used to guess
    /// them. A store that loses its secret no longer finds its responses for particular fields.
    ///
    /// - Returns: At least 32 random bytes, which stay the same while responses are stored. Defaults to `nil`: the
    ///   client then uses its own secret, which lasts as long as the process.
    /// - Throws: `CacheStoreError`.
    func digestKey() async throws(CacheStoreError) -> [UInt8]?

    /// Returns the stored entries for a URL: one for each variant, latest first.
    ///
    /// - Parameter key: The URL.
    /// - Returns: The entries; empty if none are stored, or if they are damaged.
    /// - Throws: `CacheStoreError`.
    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry]

    /// Returns the body of an entry, which can be read once.
    ///
    /// - Parameters:
    ///   - entry: An entry from ``entries(for:)``.
    ///   - key: The URL of the entry.
    /// - Returns: The body; `nil` if it was removed, or differs from the stored one.
    /// - Throws: `CacheStoreError`.
    func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody?

    /// Creates a writer for a response, before the request is sent.
    ///
    /// The client calls this for each request whose response may be stored, so defer expensive work to the first
    /// ``CacheWriter/append(_:)``.
    ///
    /// - Parameter key: The URL.
    /// - Returns: A writer, which takes the body and then the head.
    /// - Throws: `CacheStoreError`.
    func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter

    /// Replaces the head of an entry, because the server confirmed that it is current.
    ///
    /// Has no effect if the entry was removed.
    ///
    /// - Parameters:
    ///   - entry: The entry with its new head.
    ///   - key: The URL of the entry.
    /// - Throws: `CacheStoreError`.
    func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError)

    /// Removes the entries for a URL, and prevents existing writers from adding one.
    ///
    /// - Parameter key: The URL.
    /// - Throws: `CacheStoreError`.
    func remove(_ key: CacheKey) async throws(CacheStoreError)

    /// Removes all entries, and prevents existing writers from adding one.
    ///
    /// - Throws: `CacheStoreError`.
    func removeAll() async throws(CacheStoreError)
}

extension CacheStore {
    /// The maximum number of variants of one URL; real servers have few languages, codings and the like.
    static var maximumVariantCount: Int { 16 }

    /// Returns `nil`, so that the client uses its own secret.
    ///
    /// - Returns: `nil`.
    public func digestKey() async throws(CacheStoreError) -> [UInt8]? { nil }
}

/// Writes one response.
///
/// If it is released before ``commit(_:replacing:)`` has returned, it leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Appends bytes to the body.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: `CacheStoreError`; the client then releases the writer.
    func append(_ bytes: ByteBuffer) async throws(CacheStoreError)

    /// Adds the response to the store.
    ///
    /// Has no effect if its URL was removed after the writer was created.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - isReplaced: A closure that returns whether to remove another stored response for the URL, because that one
    ///     would also answer the request of the new response.
    /// - Throws: `CacheStoreError`; nothing is then stored.
    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreError)
}

extension CacheWriter {
    /// Adds the response to the store; replaces the one for the same requests.
    ///
    /// - Parameter response: The head.
    /// - Throws: `CacheStoreError`; nothing is then stored.
    public func commit(_ response: StoredResponse) async throws(CacheStoreError) {
        try await self.commit(response, replacing: { $0.variant == response.variant })
    }
}

/// A stored response.
public struct CacheEntry: Hashable, Sendable {
    /// An identifier with which the store finds the body.
    public let id: String
    /// The head of the response.
    public var response: StoredResponse
    /// The length of the body, in bytes.
    public let bodyByteCount: Int64

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: An identifier with which the store finds the body.
    ///   - response: The head of the response.
    ///   - bodyByteCount: The length of the body, in bytes.
    public init(id: String, response: StoredResponse, bodyByteCount: Int64) {
        self.id = id
        self.response = response
        self.bodyByteCount = bodyByteCount
    }
}

/// The reason that a store could not complete an operation.
@nonexhaustive
public enum CacheStoreError: Error, Hashable, Sendable {
    /// A file could not be read or written.
    case file(FileFailure)
    /// The response, or all unfinished responses together, exceed a limit of the store.
    case tooLarge
    /// A custom store failed for another reason.
    case other(String)
}

extension CacheStoreError: LocalizedError, Explained {
    /// One English sentence that an app may show; its wording is not stable.
    package var sentence: String {
        switch self {
        case .file(let failure): "A file of the cache could not be used because \(failure.cause)."
        case .tooLarge: "The response is too large for the cache."
        case .other: "The cache could not store the response."
        }
    }
}
