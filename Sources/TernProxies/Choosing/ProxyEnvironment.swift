// SPDX-License-Identifier: Apache-2.0

package import TernRequests

/// The proxies in a process's environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
///
/// - The variable of the scheme takes precedence over `all_proxy`.
/// - Each name may also be in upper case; the one in lower case takes precedence. `HTTP_PROXY` is never read: in a CGI
///   script, it contains the `Proxy` field of the request that started the script (CVE-2016-5385).
/// - An empty variable counts as not set, as in curl and Go.
/// - A call that would use a malformed proxy URL fails. If it went out without the proxy, anyone on the way could see
///   traffic that was meant only for the proxy.
/// - Requests to `localhost`, to names that end in `.localhost`, to `127.0.0.0/8` and to `::1` are direct: for the
///   proxy, these hosts mean the proxy itself. Go does the same, except for names that end in `.localhost`. curl sends
///   all these requests to the proxy. To send them to the proxy as well, use ``ProxySelection/proxy(_:except:)``.
///
/// The variables are read once, by ``init(_:)``; later changes have no effect.
package struct ProxyEnvironment: Hashable, Sendable {
    private typealias Setting = Result<Proxy, ProxyURLError>

    private let http: Setting?
    private let https: Setting?
    private let exceptions: ProxyExceptions

    /// Reads the variables.
    ///
    /// - Parameter variables: The environment, such as `ProcessInfo.processInfo.environment`.
    package init(_ variables: [String: String]) {
        let all = Self.setting(variables, ["all_proxy", "ALL_PROXY"])
        self.http = Self.setting(variables, ["http_proxy"]) ?? all
        self.https = Self.setting(variables, ["https_proxy", "HTTPS_PROXY"]) ?? all
        self.exceptions = ProxyExceptions(Self.variable(variables, ["no_proxy", "NO_PROXY"])?.value ?? "")
    }

    /// Whether every request goes directly to its origin.
    var isAlwaysDirect: Bool { (self.http == nil && self.https == nil) || self.exceptions.containsAll }

    /// Returns the proxy for requests to an origin.
    ///
    /// - Parameter origin: The origin of the request.
    /// - Returns: The proxy; `nil` if the request goes directly to the origin.
    /// - Throws: The problem with the proxy URL for this origin, with the name of the variable that contains the URL.
    package func proxy(for origin: Origin) throws(ProxyURLError) -> Proxy? {
        guard let setting = self.setting(for: origin.scheme) else { return nil }
        guard !ProxiedHost(origin.host).isLoopback else { return nil }
        guard !self.exceptions.contains(host: origin.host, port: origin.port) else { return nil }
        return try setting.get()
    }

    private func setting(for scheme: Origin.Scheme) -> Setting? {
        switch scheme {
        case .http: self.http
        case .https: self.https
        }
    }

    private static func setting(_ variables: [String: String], _ names: [String]) -> Setting? {
        guard let (name, value) = self.variable(variables, names) else { return nil }
        return Setting { () throws(ProxyURLError) in
            do throws(ProxyURLError) {
                return try Proxy(value)
            } catch {
                throw ProxyURLError(error.rule, variable: name)
            }
        }
    }

    /// Returns the first variable that is not empty.
    private static func variable(_ variables: [String: String], _ names: [String]) -> (name: String, value: String)? {
        for name in names {
            if let value = variables[name], !value.utf8.allSatisfy(\.isSpace) { return (name, value) }
        }
        return nil
    }
}

extension ProxyEnvironment: CustomStringConvertible {
    /// The proxies without users and passwords.
    package var description: String {
        "http: \(Self.text(self.http)), https: \(Self.text(self.https))"
    }

    private static func text(_ setting: Setting?) -> String {
        switch setting {
        case .success(let proxy): proxy.description
        case .failure: "unreadable"
        case nil: "direct"
        }
    }
}
