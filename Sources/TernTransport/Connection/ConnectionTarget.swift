// SPDX-License-Identifier: Apache-2.0
public import TernProxies
public import TernRequests

/// Everything that makes one connection differ from another: two requests with equal targets may share one.
public struct ConnectionTarget: Hashable, Sendable {
    /// Scheme, host and port of the server; of the proxy, where it is asked to forward.
    public var origin: Origin
    /// The Unix-domain socket to connect to instead of host and port; `nil` by default.
    public var unixSocketPath: String?
    /// The proxy that makes a tunnel to the server; `nil` by default.
    public var tunnel: Proxy?
    /// The TLS settings; used with the scheme `https`, and with a proxy that speaks TLS.
    public var tls: TLSConfiguration

    /// Creates a target.
    public init(
        origin: Origin,
        unixSocketPath: String? = nil,
        tunnel: Proxy? = nil,
        tls: TLSConfiguration = TLSConfiguration()
    ) {
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.tunnel = tunnel
        self.tls = tls
    }

    /// Whether the connection to the origin is to be encrypted.
    public var isEncrypted: Bool { self.origin.scheme == .https }

    /// What to connect to first.
    public var endpoint: Endpoint {
        if let path = self.unixSocketPath { return .unixSocket(path: path) }
        if let tunnel = self.tunnel { return .host(tunnel.host, port: tunnel.port) }
        return .host(self.origin.host, port: self.origin.port)
    }
}
