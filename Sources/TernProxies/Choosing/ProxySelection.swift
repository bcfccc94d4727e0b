// SPDX-License-Identifier: Apache-2.0

package import TernRequests
public import TernValues

/// The choice of the proxy through which a client sends its requests.
@nonexhaustive
public enum ProxySelection: Hashable, Sendable {
    /// The proxy that environment variables such as `https_proxy` name for the request; the default of a client.
    ///
    /// The client reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` when it is created. A name in lower case takes
    /// precedence over the same name in upper case, and the variable of the scheme over `all_proxy`; an empty variable counts as
    /// not set. `HTTP_PROXY` is never used: in a CGI script, it contains the `Proxy` field of the request (CVE-2016-5385). Requests
    /// to `localhost`, to names that end in `.localhost`, to `127.0.0.0/8` and to `::1` are direct. A call that would use a
    /// malformed proxy URL fails.
    case environment
    /// No proxy, whatever the environment says.
    case direct
    /// This proxy, except for some hosts.
    ///
    /// Without exceptions, even requests to loopback addresses go through the proxy, whatever the environment says.
    case proxy(Proxy, except: ProxyExceptions = .none)

    package func resolver(environment variables: @autoclosure () -> [String: String]) -> ProxyResolver {
        switch self {
        case .environment: ProxyResolver(ProxyEnvironment(variables()))
        case .direct: ProxyResolver()
        case .proxy(let proxy, let exceptions): ProxyResolver(proxy, except: exceptions)
        }
    }
}

extension ProxySelection: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .environment: "from the environment"
        case .direct: "direct"
        case .proxy(let proxy, _): proxy.description
        }
    }
}

/// Decides which proxy each request goes through.
package struct ProxyResolver: Hashable, Sendable {
    private enum Source: Hashable, Sendable {
        case direct
        case environment(ProxyEnvironment)
        case proxy(Proxy, ProxyExceptions)
    }

    package let isAlwaysDirect: Bool
    private let source: Source

    package init() { (self.isAlwaysDirect, self.source) = (true, .direct) }

    package init(_ environment: ProxyEnvironment) {
        (self.isAlwaysDirect, self.source) = (environment.isAlwaysDirect, .environment(environment))
    }

    package init(_ proxy: Proxy, except exceptions: ProxyExceptions = .none) {
        (self.isAlwaysDirect, self.source) = (exceptions.containsAll, .proxy(proxy, exceptions))
    }

    /// Returns the proxy, or `nil` for a direct request; throws if the proxy's URL in the environment is malformed.
    @inlinable
    package func proxy(for origin: Origin) throws(ProxyURLError) -> Proxy? {
        self.isAlwaysDirect ? nil : try self.lookedUp(for: origin)
    }

    @usableFromInline
    func lookedUp(for origin: Origin) throws(ProxyURLError) -> Proxy? {
        switch self.source {
        case .direct: nil
        case .environment(let environment): try environment.proxy(for: origin)
        case .proxy(let proxy, let exceptions):
            exceptions.contains(host: origin.host, port: origin.port) ? nil : proxy
        }
    }
}

extension ProxyResolver: CustomStringConvertible {
    package var description: String {
        switch self.source {
        case .direct: "direct"
        case .environment(let environment): environment.description
        case .proxy(let proxy, _): proxy.description
        }
    }
}
