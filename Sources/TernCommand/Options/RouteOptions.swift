// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

/// Which way requests take, as it is typed.
struct RouteOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("x"), .long],
        help: ArgumentHelp(
            "Go through this proxy: http://, https:// or socks5://, with user:password@ if it wants them; by default what "
                + "http_proxy, https_proxy, all_proxy and no_proxy say.",
            valueName: "url"
        )
    )
    var proxy: String?

    @Flag(help: "Go through no proxy, whatever the environment says.")
    var noProxy = false

    @Option(help: ArgumentHelp("Follow so many redirects; one more is an error. 20 by default.", valueName: "count"))
    var maxRedirects: Int?

    @Flag(help: "Follow no redirects: the first one is the response.")
    var noRedirects = false

    @Flag(
        name: [.customShort("L"), .long],
        help: "Follow redirects, which is done anyway; for those whose fingers know curl."
    )
    var location = false

    func validate() throws {
        if self.proxy != nil, self.noProxy { throw ValidationError("--proxy and --no-proxy exclude each other.") }
        if self.noRedirects, self.location || self.maxRedirects != nil {
            throw ValidationError("--no-redirects excludes --location and --max-redirects.")
        }
        if let maxRedirects, maxRedirects < 0 { throw ValidationError("--max-redirects takes a number from 0 on.") }
        // Read here, since the parser would repeat the password in its message.
        do throws(ProxyURLViolation) {
            _ = try self.selection()
        } catch {
            throw ValidationError("--proxy: \(error).")
        }
    }

    /// The proxy that was asked for; `nil` leaves it to the environment.
    func selection() throws(ProxyURLViolation) -> ProxySelection? {
        if self.noProxy { return .direct }
        guard let proxy else { return nil }
        return .proxy(try Proxy(proxy))
    }

    /// The redirects that were asked for; `nil` leaves it to the client.
    var redirects: RedirectPolicy? {
        if self.noRedirects { return .never }
        return self.maxRedirects.map { RedirectPolicy(maximumCount: $0) }
    }
}
