// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
public import TernValues

/// Keeps cookies in memory, for as long as it lives.
///
/// Several clients may share one. Its end is the end of the session, for all its cookies.
public final class MemoryCookieStore: CookieStore, JarStore {
    private let jar: Mutex<CookieJar>

    /// Creates a store.
    ///
    /// - Parameter jar: the cookies that are there from the start, and the limits; an empty jar by default.
    public init(_ jar: CookieJar = CookieJar()) { self.jar = Mutex(jar) }

    /// All cookies, those that came first first.
    public var cookies: [Cookie] { self.jar.withLock { $0.cookies } }

    /// Reads or changes the jar, alone.
    ///
    /// - Parameter change: what to do; it must not wait for anything.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        _ change: (inout CookieJar) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        try self.jar.withLock { jar throws(Failure) in try change(&jar) }
    }
}

extension MemoryCookieStore: CustomStringConvertible, Described {
    /// How many cookies it keeps.
    package var wording: String { "MemoryCookieStore of \(self.jar.withLock { $0.count })" }
}
