// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
public import TernValues

/// Stores cookies only in memory; several clients may share one store.
public final class MemoryCookieStore: CookieStore, JarStore {
    private let jar: Mutex<CookieJar>

    /// Creates a store with the cookies and limits of a jar.
    public init(_ jar: CookieJar = CookieJar()) { self.jar = Mutex(jar) }

    /// All cookies in the order of their first arrival, possibly including expired ones.
    public var cookies: [Cookie] { self.jar.withLock { $0.cookies } }

    /// Reads or changes the jar with exclusive access, in a closure that must not block.
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        _ change: (inout CookieJar) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        try self.jar.withLock { jar throws(Failure) in try change(&jar) }
    }
}

extension MemoryCookieStore: CustomStringConvertible, Described {
    package var wording: String { "MemoryCookieStore of \(self.jar.withLock { $0.count })" }
}
