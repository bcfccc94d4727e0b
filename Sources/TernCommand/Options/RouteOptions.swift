// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

/// The options that choose the way of a request: proxies and redirects.
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

    @Option(
        name: .customLong("noproxy"),
        help: ArgumentHelp("With --proxy: ask these hosts directly; * for all.", valueName: "hosts")
    )
    var directHosts: String?

    @Option(
        name: [.long, .customLong("max-redirs")],
        help: ArgumentHelp(
            "Follow so many redirects; one more is an error. 20 by default, -1 for any.",
            valueName: "count"
        )
    )
    var maxRedirects: Int?

    @Flag(
        name: [.long, .customLong("no-location")],
        help: "Follow no redirects: the first one is the response, as in curl without -L."
    )
    var noRedirects = false

    @Flag(name: [.customShort("L"), .long], help: "Follow redirects, which is the default here and not in curl.")
    var location = false

    func validate() throws {
        if self.proxy != nil, self.noProxy { throw ValidationError("--proxy and --no-proxy exclude each other.") }
        if self.proxy == nil, let directHosts, directHosts != "*" {
            throw ValidationError("--noproxy takes *, or belongs to a --proxy; no_proxy does so for the environment's.")
        }
        if self.noRedirects, self.location || self.maxRedirects != nil {
            throw ValidationError("--no-redirects excludes --location and --max-redirects.")
        }
        if let maxRedirects, maxRedirects < -1 {
            throw ValidationError("--max-redirects takes a number from 0 on, or -1 for any.")
        }
        // Read here, since the parser would repeat the password in its message.
        do throws(ProxyURLError) {
            _ = try self.selection()
        } catch {
            throw ValidationError("--proxy: \(error).")
        }
    }

    /// The proxy that was asked for; `nil` leaves it to the environment.
    func selection() throws(ProxyURLError) -> ProxySelection? {
        if self.noProxy || self.directHosts == "*" { return .direct }
        guard let proxy else { return nil }
        // As in curl, an empty text is no proxy.
        if proxy.isEmpty { return .direct }
        return .proxy(try Proxy(proxy), except: self.directHosts.map { ProxyExceptions($0) } ?? .none)
    }

    /// The redirects that were asked for; `nil` leaves it to the client.
    var redirects: RedirectPolicy? {
        if self.noRedirects { return .never }
        return self.maxRedirects.map { RedirectPolicy(maximumCount: $0 < 0 ? .max : $0) }
    }

    /// The request with the way that was typed.
    ///
    /// - Parameter request: A request.
    /// - Returns: A changed copy.
    func applied(to request: Request) -> Request {
        var request = request
        if let redirects { request.options.redirects = redirects }
        // It was read before, when the arguments were.
        if let selection = try? self.selection() { request.options.proxy = selection }
        return request
    }
}
