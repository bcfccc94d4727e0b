// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A store around a ``CookieJar``: what a client asks of it is the same for all.
package protocol JarStore: CookieStore {
    /// Reads or changes the jar, alone.
    func update<Result: Sendable, Failure: Error>(
        _ change: (inout CookieJar) throws(Failure) -> sending Result
    ) throws(Failure) -> Result
}

extension JarStore {
    /// The cookies that a request brings; never suspends.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: The present.
    /// - Returns: The cookies, in the order in which they are sent.
    public func cookies(for request: CookieRequest, at now: Date) async -> [Cookie] {
        self.update { $0.cookies(for: request, at: now) }
    }

    /// Does what the `Set-Cookie` fields of a response ask for; never suspends.
    ///
    /// - Parameters:
    ///   - fields: What was read.
    ///   - request: The request that was answered.
    ///   - now: The present.
    public func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async {
        self.update { jar in
            // What is refused is refused silently: "ignore the cookie entirely".
            for field in fields { try? jar.receive(field, from: request, at: now) }
        }
    }
}
