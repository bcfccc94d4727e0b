// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

struct RouteOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("x"), .long],
        help: ArgumentHelp(
            "Use this proxy: http://, https:// or socks5://, with user:password@ if needed; an HTTP proxy gets them with "
                + "Basic, unless --proxy-anyauth is set. By default http_proxy, https_proxy, all_proxy and no_proxy "
                + "determine the proxy.",
            valueName: "url"
        )
    )
    var proxy: String?

    @Option(
        name: [.customShort("U"), .long],
        help: ArgumentHelp(
            "With --proxy: sign in to the proxy as this user. Other users of this machine can see the password.",
            valueName: "name:password"
        )
    )
    var proxyUser: String?

    @Flag(help: "Wait for the proxy's 407, and answer with Digest if the proxy supports it, else with Basic.")
    var proxyAnyauth = false

    @Flag(help: "Use no proxy, whatever the environment says.")
    var noProxy = false

    @Option(
        name: .customLong("noproxy"),
        help: ArgumentHelp("With --proxy: connect to these hosts directly; * for all.", valueName: "hosts")
    )
    var directHosts: String?

    @Option(
        name: [.long, .customLong("max-redirs")],
        help: ArgumentHelp(
            "Follow at most this many redirects; another one is an error. The default is 20; -1 sets no limit.",
            valueName: "count"
        )
    )
    var maxRedirects: Int?

    @Flag(
        name: [.long, .customLong("no-location")],
        help: "Do not follow redirects, as in curl without -L."
    )
    var noRedirects = false

    @Flag(name: [.customShort("L"), .long], help: "Follow redirects. Unlike in curl, this is the default.")
    var location = false

    func validate() throws {
        if self.proxy != nil, self.noProxy { throw ValidationError("--proxy and --no-proxy cannot be combined.") }
        if let proxyUser {
            guard let proxy, !proxy.isEmpty else {
                throw ValidationError("--proxy-user needs --proxy; the environment's proxy can have a user in its URL.")
            }
            guard proxyUser.isEmpty || proxyUser.contains(":") else {
                throw ValidationError("--proxy-user must have the form name:password.")
            }
        }
        if self.proxy == nil, let directHosts, directHosts != "*" {
            let rule = "Without --proxy, --noproxy takes only '*'."
            throw ValidationError("\(rule) To exempt hosts from the environment's proxy, set no_proxy.")
        }
        if self.noRedirects, self.location || self.maxRedirects != nil {
            throw ValidationError("--no-redirects cannot be used with --location or --max-redirects.")
        }
        if let maxRedirects, maxRedirects < -1 {
            throw ValidationError("--max-redirects must be 0 or more, or -1 for no limit.")
        }
        // Parse the proxy here, because the argument parser would repeat the password in its message.
        do throws(ProxyURLError) {
            _ = try self.selection()
        } catch {
            throw ValidationError("--proxy: \(error).")
        }
    }

    /// Returns the proxy that was typed; `nil` to use that of the environment.
    func selection() throws(ProxyURLError) -> ProxySelection? {
        if self.noProxy || self.directHosts == "*" { return .direct }
        guard let proxy else { return nil }
        // As in curl, an empty text means no proxy.
        if proxy.isEmpty { return .direct }
        return .proxy(try Proxy(self.withUser(proxy)), except: self.directHosts.map { ProxyExceptions($0) } ?? .none)
    }

    /// Puts the user and the password of `--proxy-user` in place of those in the URL.
    private func withUser(_ proxy: String) -> String {
        guard let proxyUser, !proxyUser.isEmpty, let colon = proxyUser.firstIndex(of: ":") else { return proxy }
        let scheme = proxy.firstRange(of: "://").map { proxy[..<$0.upperBound] } ?? ""
        let rest = proxy.dropFirst(scheme.count)
        let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        let user = Self.encoded(proxyUser[..<colon])
        return "\(scheme)\(user):\(Self.encoded(proxyUser[proxyUser.index(after: colon)...]))@\(host)"
    }

    private static func encoded(_ text: Substring) -> String {
        String(decoding: FormText.encode(text.utf8), as: UTF8.self).replacing("+", with: "%20")
    }

    var redirects: RedirectPolicy? {
        if self.noRedirects { return .never }
        return self.maxRedirects.map { RedirectPolicy(maximumCount: $0 < 0 ? .max : $0) }
    }

    func applied(to request: Request) -> Request {
        var request = request
        if let redirects { request.options.redirects = redirects }
        // This does not throw, because `validate()` has checked the proxy.
        if let selection = try? self.selection() { request.options.proxy = selection }
        return request
    }
}
