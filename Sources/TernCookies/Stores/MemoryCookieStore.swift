// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
public import TernValues

/// Stores cookies in memory, until the store is deallocated.
///
/// Several clients may share one store. Nothing is written to a file.
public final class MemoryCookieStore: CookieStore, JarStore {
    private let jar: Mutex<CookieJar>

    /// Creates a store.
    ///
    /// - Parameter jar: A jar with the initial cookies and the limits. Defaults to an empty jar with the default
    ///   limits.
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
