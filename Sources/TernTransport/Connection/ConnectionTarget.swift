// SPDX-License-Identifier: Apache-2.0
public import TernProxies
public import TernRequests

/// Everything that makes one connection differ from another: two requests with equal targets may share one.
///
/// One is made for each request, so targets of one transport share their TLS settings, and compare them by reference.
public struct ConnectionTarget: Sendable {
    private final class Shared: Sendable {
        let tls: TLSConfiguration

        init(_ tls: TLSConfiguration) { self.tls = tls }
    }

    /// Scheme, host and port of the server; of the proxy, where it is asked to forward.
    public var origin: Origin
    /// The Unix-domain socket to connect to instead of host and port; `nil` by default.
    public var unixSocketPath: String?
    /// The proxy that makes a tunnel to the server; `nil` by default.
    public var tunnel: Proxy?
    /// The TLS settings; used with the scheme `https`, and with a proxy that speaks TLS.
    public var tls: TLSConfiguration {
        get { self.shared.tls }
        set { self.shared = Shared(newValue) }
    }

    private var shared: Shared

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
        self.shared = Shared(tls)
    }

    private init(_ origin: Origin, _ unixSocketPath: String?, _ tunnel: Proxy?, _ shared: Shared) {
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.tunnel = tunnel
        self.shared = shared
    }

    /// Another target with the same TLS settings.
    package func elsewhere(_ origin: Origin, unixSocketPath: String?, tunnel: Proxy?) -> ConnectionTarget {
        ConnectionTarget(origin, unixSocketPath, tunnel, self.shared)
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

extension ConnectionTarget: Hashable {
    public static func == (one: ConnectionTarget, other: ConnectionTarget) -> Bool {
        one.origin == other.origin && (one.shared === other.shared || one.shared.tls == other.shared.tls)
            && one.unixSocketPath == other.unixSocketPath && one.tunnel == other.tunnel
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.origin)
        hasher.combine(self.unixSocketPath)
        hasher.combine(self.tunnel)
        hasher.combine(self.shared.tls)
    }
}
