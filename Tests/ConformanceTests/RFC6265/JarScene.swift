// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation

/// A jar, and a clock that the test advances.
struct JarScene {
    var jar: CookieJar
    var now = Date(timeIntervalSince1970: 1_800_000_000)

    init(limits: CookieLimits = CookieLimits()) { self.jar = CookieJar(limits: limits) }

    mutating func pass(_ seconds: Double) { self.now = self.now + seconds }

    /// Returns the request for a URL such as `https://example.com/path`.
    static func request(_ url: String, _ cause: CookieRequest.Cause = .sameSite) -> CookieRequest {
        let isSecure = url.hasPrefix("https://")
        let rest = url.dropFirst(isSecure ? 8 : 7)
        let host = rest.prefix { $0 != "/" }
        return CookieRequest(
            host: String(host),
            isSecure: isSecure,
            path: String(rest.dropFirst(host.count)),
            cause: cause
        )
    }

    /// Passes a `Set-Cookie` field of the response to a request to the jar.
    ///
    /// - Returns: The reason that the jar ignored the cookie; `nil` if the jar accepted the cookie.
    @discardableResult
    mutating func set(
        _ text: String,
        from url: String = "https://www.example.com/a/b",
        _ cause: CookieRequest.Cause = .sameSite
    ) -> CookieViolation? {
        do throws(CookieViolation) {
            try self.jar.receive(
                try SetCookie(parsing: ContiguousArray(text.utf8).span),
                from: Self.request(url, cause),
                at: self.now
            )
            return nil
        } catch {
            return error
        }
    }

    /// Returns the `Cookie` field of a request.
    mutating func sent(to url: String, _ cause: CookieRequest.Cause = .sameSite) -> String {
        let cookies = self.jar.cookies(for: Self.request(url, cause), at: self.now)
        return String(decoding: Cookie.fieldValue(of: cookies), as: UTF8.self)
    }
}
