// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
public import TernValues

/// Stores cookies in memory, for its own lifetime.
///
/// Several clients may share one store. When the store is deallocated, the session ends for all its cookies.
public final class MemoryCookieStore: CookieStore, JarStore {
    private let jar: Mutex<CookieJar>

    /// Creates a store.
    ///
    /// - Parameter jar: The initial cookies, and the limits. Defaults to an empty jar.
    public init(_ jar: CookieJar = CookieJar()) { self.jar = Mutex(jar) }

    /// All cookies, in the order of their arrival.
    public var cookies: [Cookie] { self.jar.withLock { $0.cookies } }

    /// Reads or changes the jar, with exclusive access.
    ///
    /// - Parameter change: A closure that reads or changes the jar; it must not block.
    /// - Returns: The value that the closure returns.
    /// - Throws: The error that the closure throws.
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        _ change: (inout CookieJar) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        try self.jar.withLock { jar throws(Failure) in try change(&jar) }
    }
}

extension MemoryCookieStore: CustomStringConvertible, Described {
    /// The number of stored cookies.
    package var wording: String { "MemoryCookieStore of \(self.jar.withLock { $0.count })" }
}
