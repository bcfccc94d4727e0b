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

/// Keeps responses to be used again: heads, bodies, and for which requests; what may be used is decided elsewhere.
///
/// A store never makes a call fail: where it throws, the response comes from the network and is not kept. It may be used
/// from any number of tasks at once. What it gives must be what was given to it, whole, or nothing.
public protocol CacheStore: Sendable {
    /// How long a body may be that is kept, in bytes.
    var maximumBodyByteCount: Int64 { get }

    /// A secret, with which the client makes digests of request fields before it gives them to the store.
    ///
    /// The fields that a response was selected by may be credentials. A digest that was made with a secret cannot be used to
    /// guess them. A store that loses its secret does not find what it kept for particular fields.
    ///
    /// - Returns: 32 random bytes or more, the same for as long as responses are kept. Defaults to `nil`: the client uses a
    ///   secret of its own, which lasts as long as the process.
    /// - Throws: `CacheStoreError`.
    func digestKey() async throws(CacheStoreError) -> [UInt8]?

    /// What is kept for a URL: one entry for each variant, the latest first.
    ///
    /// - Parameter key: the URL.
    /// - Returns: the entries; none if there are none, or if they cannot be trusted.
    /// - Throws: `CacheStoreError`.
    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry]

    /// The body of an entry, to be read once.
    ///
    /// - Parameters:
    ///   - entry: what ``entries(for:)`` gave.
    ///   - key: its URL.
    /// - Returns: the body; `nil` if it is gone or is not what was stored.
    /// - Throws: `CacheStoreError`.
    func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody?

    /// Begins to store a response, before it is asked for.
    ///
    /// Asked for each request that may be stored: what is costly belongs into the first ``CacheWriter/append(_:)``.
    ///
    /// - Parameter key: the URL.
    /// - Returns: what takes the body, and then the head.
    /// - Throws: `CacheStoreError`.
    func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter

    /// Replaces the head of an entry, because the server said that it is current; nothing happens if it is gone.
    ///
    /// - Parameters:
    ///   - entry: the entry with its new head.
    ///   - key: its URL.
    /// - Throws: `CacheStoreError`.
    func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError)

    /// Forgets what is kept for a URL, and what writers that have begun would still bring.
    ///
    /// - Parameter key: the URL.
    /// - Throws: `CacheStoreError`.
    func remove(_ key: CacheKey) async throws(CacheStoreError)

    /// Forgets everything, and what writers that have begun would still bring.
    ///
    /// - Throws: `CacheStoreError`.
    func removeAll() async throws(CacheStoreError)
}

extension CacheStore {
    /// How many variants of one URL are kept: languages, codings and the like are few.
    static var maximumVariantCount: Int { 16 }

    /// Leaves the secret to the client.
    ///
    /// - Returns: `nil`.
    public func digestKey() async throws(CacheStoreError) -> [UInt8]? { nil }
}

/// Takes one response; released before ``commit(_:replacing:)`` has returned, it leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes of the body.
    ///
    /// - Parameter bytes: the bytes.
    /// - Throws: `CacheStoreError`; it is then released.
    func append(_ bytes: ByteBuffer) async throws(CacheStoreError)

    /// Makes the response one that is found; nothing happens if its URL was forgotten since the writer began.
    ///
    /// - Parameters:
    ///   - response: the head.
    ///   - isReplaced: whether it takes the place of another response that is kept for the URL, because the request that
    ///     it answers would have been answered by that.
    /// - Throws: `CacheStoreError`; nothing is kept then.
    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreError)
}

extension CacheWriter {
    /// Makes the response one that is found, in place of the one for the same requests.
    ///
    /// - Parameter response: the head.
    /// - Throws: `CacheStoreError`; nothing is kept then.
    public func commit(_ response: StoredResponse) async throws(CacheStoreError) {
        try await self.commit(response, replacing: { $0.variant == response.variant })
    }
}

/// One response that is kept.
public struct CacheEntry: Hashable, Sendable {
    /// What the store knows its body by.
    public let id: String
    /// Its head.
    public var response: StoredResponse
    /// How long its body is, in bytes.
    public let bodyByteCount: Int64

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: what the store knows its body by.
    ///   - response: its head.
    ///   - bodyByteCount: how long its body is, in bytes.
    public init(id: String, response: StoredResponse, bodyByteCount: Int64) {
        self.id = id
        self.response = response
        self.bodyByteCount = bodyByteCount
    }
}

/// Why a store could not do what it was asked to.
@nonexhaustive
public enum CacheStoreError: Error, Hashable, Sendable {
    /// A file could not be read or written.
    case file(FileFailure)
    /// There is no room for so much.
    case tooLarge
    /// Another reason, given by a custom store.
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
