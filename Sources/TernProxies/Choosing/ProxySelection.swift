// SPDX-License-Identifier: Apache-2.0

package import TernRequests
public import TernValues

/// Which proxy requests go through.
@nonexhaustive
public enum ProxySelection: Hashable, Sendable {
    /// The one that the environment names for the host, as `ProxyEnvironment` reads it; the default of a client.
    case environment
    /// None, whatever the environment says.
    case direct
    /// This one, but for the exceptions; without any, loopback goes through it, too, whatever the environment says.
    case proxy(Proxy, except: ProxyExceptions = .none)

    /// Makes what answers for each request, once for a client.
    ///
    /// - Parameter variables: the environment, such as `ProcessInfo.processInfo.environment`; only looked at for
    ///   ``environment``.
    /// - Returns: a resolver, which keeps what it needs of the environment.
    package func resolver(environment variables: @autoclosure () -> [String: String]) -> ProxyResolver {
        switch self {
        case .environment: ProxyResolver(ProxyEnvironment(variables()))
        case .direct: ProxyResolver()
        case .proxy(let proxy, let exceptions): ProxyResolver(proxy, except: exceptions)
        }
    }
}

extension ProxySelection: CustomStringConvertible, Described {
    /// The selection, without a user and a password.
    package var wording: String {
        switch self {
        case .environment: "as the environment says"
        case .direct: "direct"
        case .proxy(let proxy, _): proxy.description
        }
    }
}

/// Answers for each request which proxy it goes through.
package struct ProxyResolver: Hashable, Sendable {
    private enum Source: Hashable, Sendable {
        case direct
        case environment(ProxyEnvironment)
        case proxy(Proxy, ProxyExceptions)
    }

    /// Whether no request ever has a proxy, so that nothing about it needs to be found out.
    package let isAlwaysDirect: Bool
    private let source: Source

    /// Creates a resolver that knows no proxy.
    package init() { (self.isAlwaysDirect, self.source) = (true, .direct) }

    /// Creates a resolver that follows an environment.
    package init(_ environment: ProxyEnvironment) {
        (self.isAlwaysDirect, self.source) = (environment.isAlwaysDirect, .environment(environment))
    }

    /// Creates a resolver that answers with one proxy, but for the exceptions, of which there are none by default.
    package init(_ proxy: Proxy, except exceptions: ProxyExceptions = .none) {
        (self.isAlwaysDirect, self.source) = (exceptions.containsAll, .proxy(proxy, exceptions))
    }

    /// Finds the proxy for requests to an origin.
    ///
    /// - Parameter origin: The origin of the request.
    /// - Returns: the proxy; `nil` if the request goes to the origin directly.
    /// - Throws: why the URL that the environment has for this origin cannot be read.
    /// - Complexity: O(*n*) in the number of exceptions; nothing at all if ``isAlwaysDirect``.
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
    /// What it follows, without users and passwords.
    package var description: String {
        switch self.source {
        case .direct: "direct"
        case .environment(let environment): environment.description
        case .proxy(let proxy, _): proxy.description
        }
    }
}
