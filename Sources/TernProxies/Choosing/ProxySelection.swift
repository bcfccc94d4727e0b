// SPDX-License-Identifier: Apache-2.0

package import TernRequests
public import TernValues

/// The choice of the proxy through which a client sends its requests.
@nonexhaustive
public enum ProxySelection: Hashable, Sendable {
    /// The proxy that environment variables such as `https_proxy` name for the host.
    ///
    /// A client uses this selection by default.
    case environment
    /// No proxy, whatever the environment says.
    case direct
    /// This proxy, except for some hosts.
    ///
    /// Without exceptions, even requests to loopback addresses go through the proxy, whatever the environment says.
    case proxy(Proxy, except: ProxyExceptions = .none)

    /// Returns a resolver for the requests of a client.
    ///
    /// - Parameter variables: The environment, such as `ProcessInfo.processInfo.environment`; read only for
    ///   ``environment``.
    /// - Returns: A resolver, which copies the variables that it needs.
    package func resolver(environment variables: @autoclosure () -> [String: String]) -> ProxyResolver {
        switch self {
        case .environment: ProxyResolver(ProxyEnvironment(variables()))
        case .direct: ProxyResolver()
        case .proxy(let proxy, let exceptions): ProxyResolver(proxy, except: exceptions)
        }
    }
}

extension ProxySelection: CustomStringConvertible, Described {
    /// The selection, without user and password.
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

    /// Whether every request goes directly to its origin, so that the client need not ask the resolver.
    package let isAlwaysDirect: Bool
    private let source: Source

    /// Creates a resolver without a proxy.
    package init() { (self.isAlwaysDirect, self.source) = (true, .direct) }

    /// Creates a resolver that uses an environment.
    package init(_ environment: ProxyEnvironment) {
        (self.isAlwaysDirect, self.source) = (environment.isAlwaysDirect, .environment(environment))
    }

    /// Creates a resolver with one proxy and its exceptions, which default to none.
    package init(_ proxy: Proxy, except exceptions: ProxyExceptions = .none) {
        (self.isAlwaysDirect, self.source) = (exceptions.containsAll, .proxy(proxy, exceptions))
    }

    /// Returns the proxy for requests to an origin.
    ///
    /// - Parameter origin: The origin of the request.
    /// - Returns: The proxy; `nil` if the request goes directly to the origin.
    /// - Throws: The problem with the proxy URL that the environment names for this origin.
    /// - Complexity: O(*n*) in the number of exceptions; constant if ``isAlwaysDirect``.
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
    /// The setting from which the resolver chooses proxies, as text without user names and passwords.
    package var description: String {
        switch self.source {
        case .direct: "direct"
        case .environment(let environment): environment.description
        case .proxy(let proxy, _): proxy.description
        }
    }
}
