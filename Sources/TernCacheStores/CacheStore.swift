// SPDX-License-Identifier: Apache-2.0
public import NIOCore
public import TernCaching
public import TernErrors
public import TernFoundation
public import TernTransport
public import TernValues

/// A type that stores the heads and bodies of responses for a cache; the client decides which responses to store and to use.
///
/// If a method throws, the call goes on as if the method had found and done nothing. Any number of tasks may use a store at the
/// same time. A store must return a response exactly as it was stored, or not at all.
public protocol CacheStore: Sendable {
    /// The maximum length of a stored body, in bytes.
    var maximumBodyByteCount: Int64 { get }

    /// Returns a secret with which the client computes digests of request fields for this store.
    ///
    /// A stored response answers only requests with the same credentials and the same values of the fields that `Vary` names. The
    /// store receives only digests of these: without the secret, a reader of the store cannot guess credentials from them. If a
    /// store loses its secret, the client no longer uses the responses that have digests.
    ///
    /// - Returns: At least 32 random bytes, the same as long as responses are stored; `nil`, the default, for a random secret that
    ///   lasts as long as the process.
    /// - Throws: `CacheStoreError`.
    func digestKey() async throws(CacheStoreError) -> [UInt8]?

    /// Returns the stored responses for a URL, one for each variant, the latest first; none if the stored data is damaged.
    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry]

    /// Returns the body of an entry of ``entries(for:)``; `nil` if it was removed, is damaged or cannot be read.
    func body(of entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError) -> ResponseBody?

    /// Creates a writer for a response, which receives the body first and then the head.
    ///
    /// The client calls this method before each request whose response it may store. So leave expensive work to the first
    /// ``CacheWriter/append(_:)``.
    ///
    /// - Parameter key: The key of the URL.
    /// - Returns: A writer.
    /// - Throws: `CacheStoreError`.
    func makeWriter(for key: CacheKey) async throws(CacheStoreError) -> any CacheWriter

    /// Replaces the head of an entry that the server has confirmed; has no effect if the entry was removed.
    func update(_ entry: CacheEntry, for key: CacheKey) async throws(CacheStoreError)

    /// Removes the entries for a URL, and prevents the existing writers for the URL from adding an entry.
    func remove(_ key: CacheKey) async throws(CacheStoreError)

    /// Removes all entries, and prevents all existing writers from adding an entry.
    func removeAll() async throws(CacheStoreError)
}

extension CacheStore {
    /// The maximum number of responses for one URL.
    ///
    /// Beyond it, the oldest are removed. Real servers have few variants, such as languages and codings.
    static var maximumVariantCount: Int { 16 }

    /// Returns `nil`, so that the client uses a random secret.
    public func digestKey() async throws(CacheStoreError) -> [UInt8]? { nil }
}

/// A type that writes one response to a store.
///
/// A writer that is released before ``commit(_:replacing:)`` has returned must leave nothing in the store.
public protocol CacheWriter: AnyObject, Sendable {
    /// Appends bytes to the body; if this throws, the client releases the writer.
    func append(_ bytes: ByteBuffer) async throws(CacheStoreError)

    /// Adds the response to the store, with the appended body.
    ///
    /// Has no effect if `remove(_:)` or `removeAll()` removed the entries for the URL after the writer was created.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - isReplaced: Returns whether the new response replaces a stored one for the same URL.
    /// - Throws: `CacheStoreError`. In this case, nothing is stored.
    func commit(
        _ response: StoredResponse,
        replacing isReplaced: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws(CacheStoreError)
}

extension CacheWriter {
    /// Adds the response like ``commit(_:replacing:)``, in place of a stored response with the same variant.
    public func commit(_ response: StoredResponse) async throws(CacheStoreError) {
        try await self.commit(response, replacing: { $0.variant == response.variant })
    }
}

/// A stored response: its head, and the identifier and length of its body.
public struct CacheEntry: Hashable, Sendable {
    /// An identifier with which the store finds the body.
    public let id: String
    /// The head of the response.
    public var response: StoredResponse
    /// The length of the body, in bytes.
    public let bodyByteCount: Int64

    /// Creates an entry from its parts.
    public init(id: String, response: StoredResponse, bodyByteCount: Int64) {
        self.id = id
        self.response = response
        self.bodyByteCount = bodyByteCount
    }
}

/// The reason that a store could not complete an operation.
@nonexhaustive
public enum CacheStoreError: Error, Hashable, Sendable {
    /// A file or a folder could not be used.
    case file(FileFailure)
    /// The body exceeds the store's limit for one body, or all unfinished bodies together exceed theirs.
    case tooLarge
    /// A custom store failed for another reason.
    case other(String)
}

extension CacheStoreError: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .file(.notPermitted):
            "the folder of the cache cannot be used: this process does not have permission, or another user owns the "
                + "folder or can write to it"
        case .file(.system(let errno)): "a file of the cache cannot be used: \(SystemError.text(errno))"
        case .file(let failure): "a file of the cache cannot be used because \(failure.cause)"
        case .tooLarge: "the body is too large for the cache"
        case .other(let reason): "the store failed: \(ForeignText.shown(reason))"
        }
    }
}

extension CacheStoreError: LocalizedError, Explained {
    package var sentence: String {
        switch self {
        case .file(.notPermitted):
            "The cache could not be used because the app does not have permission, or because other users can change "
                + "its folder."
        case .file(let failure): "A file of the cache could not be used because \(failure.cause)."
        case .tooLarge: "The cache did not store the response because the body is too large."
        case .other: "The cache could not be used."
        }
    }
}
