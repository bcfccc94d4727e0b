// SPDX-License-Identifier: Apache-2.0

package import TernRequests

/// The proxies in a process's environment, as ``ProxySelection/environment`` describes them.
///
/// A call fails if the URL of its proxy is malformed: without the proxy, others could read its traffic. Requests to loopback
/// addresses are direct, because a proxy would send them to its own machine.
package struct ProxyEnvironment: Hashable, Sendable {
    private typealias Setting = Result<Proxy, ProxyURLError>

    private let http: Setting?
    private let https: Setting?
    private let exceptions: ProxyExceptions

    package init(_ variables: [String: String]) {
        let all = Self.setting(variables, ["all_proxy", "ALL_PROXY"])
        self.http = Self.setting(variables, ["http_proxy"]) ?? all
        self.https = Self.setting(variables, ["https_proxy", "HTTPS_PROXY"]) ?? all
        self.exceptions = ProxyExceptions(Self.variable(variables, ["no_proxy", "NO_PROXY"])?.value ?? "")
    }

    var isAlwaysDirect: Bool { (self.http == nil && self.https == nil) || self.exceptions.containsAll }

    /// Returns the proxy for an origin; `nil` for direct requests; throws an error that names the variable if its URL is malformed.
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

    private static func variable(_ variables: [String: String], _ names: [String]) -> (name: String, value: String)? {
        for name in names {
            if let value = variables[name], !value.utf8.allSatisfy(\.isSpace) { return (name, value) }
        }
        return nil
    }
}

extension ProxyEnvironment: CustomStringConvertible {
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
