// SPDX-License-Identifier: Apache-2.0
import TernProxies
public import TernRequests

/// Everything that makes one connection differ from another: two requests with equal targets may share one.
public struct ConnectionTarget: Hashable, Sendable {
    /// Scheme, host and port of the server; of the proxy, where it is asked to forward.
    public var origin: Origin
    /// The Unix-domain socket to connect to instead of host and port; `nil` by default.
    public var unixSocketPath: String?
    /// The way there, direct by default; two proxies that differ in the user alone are two ways.
    public var route: Route
    /// What the caller himself tells the proxy about who asks for a tunnel, which is then nobody else's; `nil` by default.
    public var proxyAuthorization: String?
    /// The TLS settings; used with the scheme `https`, and with a proxy that speaks TLS.
    public var tls: TLSConfiguration

    /// Creates a target.
    public init(
        origin: Origin,
        unixSocketPath: String? = nil,
        route: Route = .direct,
        proxyAuthorization: String? = nil,
        tls: TLSConfiguration = TLSConfiguration()
    ) {
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.route = route
        self.proxyAuthorization = proxyAuthorization
        self.tls = tls
    }

    /// Whether the connection to the origin is to be encrypted.
    public var isEncrypted: Bool { self.origin.scheme == .https }

    /// What to connect to first.
    public var endpoint: Endpoint {
        if let path = self.unixSocketPath { return .unixSocket(path: path) }
        if let proxy = self.route.proxy { return .host(proxy.host, port: proxy.port) }
        return .host(self.origin.host, port: self.origin.port)
    }
}

extension ConnectionTarget: CustomStringConvertible, CustomReflectable {
    /// Where to and which way, without user and password.
    public var description: String {
        "\(self.origin)\(self.route.proxy.map { " through \($0)" } ?? "")"
    }

    /// The parts but for what says who asks.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["origin": self.origin, "unixSocketPath": self.unixSocketPath as Any, "route": self.route],
            displayStyle: .struct
        )
    }
}
