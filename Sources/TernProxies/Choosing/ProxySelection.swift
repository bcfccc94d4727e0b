// SPDX-License-Identifier: Apache-2.0

/// Which proxy requests go through.
public enum ProxySelection: Hashable, Sendable {
    /// The one that the environment names for the host, as ``ProxyEnvironment`` reads it; the default of a client.
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
    public func resolver(environment variables: @autoclosure () -> [String: String]) -> ProxyResolver {
        switch self {
        case .environment: ProxyResolver(ProxyEnvironment(variables()))
        case .direct: ProxyResolver()
        case .proxy(let proxy, let exceptions): ProxyResolver(proxy, except: exceptions)
        }
    }
}

extension ProxySelection: CustomStringConvertible {
    /// The selection, without a user and a password.
    public var description: String {
        switch self {
        case .environment: "as the environment says"
        case .direct: "direct"
        case .proxy(let proxy, _): proxy.description
        }
    }
}
