// SPDX-License-Identifier: Apache-2.0
public import TernCaching

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
