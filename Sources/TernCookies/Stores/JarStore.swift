// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

/// A cookie store that keeps its cookies in a ``CookieJar``.
package protocol JarStore: CookieStore {
    func update<Result: Sendable, Failure: Error>(
        _ change: (inout CookieJar) throws(Failure) -> sending Result
    ) throws(Failure) -> Result
}

extension JarStore {
    /// Returns the cookies to send with a request, in their order.
    public func cookies(for request: CookieRequest, at now: Date) async -> [Cookie] {
        self.update { $0.cookies(for: request, at: now) }
    }

    /// Stores the cookies of a response, except those that break a rule.
    public func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async {
        self.update { jar in
            // Refused cookies are ignored silently: "ignore the cookie entirely".
            for field in fields { try? jar.receive(field, from: request, at: now) }
        }
    }
}
