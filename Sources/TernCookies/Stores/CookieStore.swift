// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a client keeps its cookies.
///
/// The methods are asynchronous, so that another process can be behind them. They are called by several tasks at once; a
/// request waits for them, so they should be quick. A ``CookieJar`` has the rules: make a store around one.
public protocol CookieStore: AnyObject, Sendable {
    /// The cookies that a request brings.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - now: the present.
    /// - Returns: the cookies in the order in which they are sent; see ``CookieJar/cookies(for:at:)``.
    func cookies(for request: CookieRequest, at now: Date) async -> [Cookie]

    /// Does what the `Set-Cookie` fields of a response ask for.
    ///
    /// - Parameters:
    ///   - fields: what was read, in the order of the fields.
    ///   - request: the request that was answered.
    ///   - now: the present.
    func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async
}

/// Keeps cookies in memory, for as long as it lives.
///
/// Several clients may share one. Its end is the end of the session, for all its cookies.
public final class MemoryCookieStore: CookieStore {
    private let jar: Mutex<CookieJar>

    /// Creates a store.
    ///
    /// - Parameter jar: the cookies that are there from the start, and the limits; an empty jar by default.
    public init(_ jar: CookieJar = CookieJar()) { self.jar = Mutex(jar) }

    /// The cookies that a request brings; never suspends.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - now: the present.
    /// - Returns: the cookies, in the order in which they are sent.
    public func cookies(for request: CookieRequest, at now: Date) async -> [Cookie] {
        self.jar.withLock { $0.cookies(for: request, at: now) }
    }

    /// Does what the `Set-Cookie` fields of a response ask for; never suspends.
    ///
    /// - Parameters:
    ///   - fields: what was read.
    ///   - request: the request that was answered.
    ///   - now: the present.
    public func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async {
        self.update { jar in
            // What is refused is refused silently: "ignore the cookie entirely".
            for field in fields { try? jar.receive(field, from: request, at: now) }
        }
    }

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

extension MemoryCookieStore: CustomStringConvertible, CustomReflectable {
    /// How many cookies it keeps.
    public var description: String { "MemoryCookieStore of \(self.jar.withLock { $0.count })" }

    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
