// SPDX-License-Identifier: Apache-2.0
import TernProxies
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
    /// The way there, direct by default; two proxies that differ in the user alone are two ways.
    public var route: Route
    /// What the caller himself tells the proxy about who asks for a tunnel, which is then nobody else's; `nil` by default.
    public var proxyAuthorization: String?
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
        route: Route = .direct,
        proxyAuthorization: String? = nil,
        tls: TLSConfiguration = TLSConfiguration()
    ) {
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.route = route
        self.proxyAuthorization = proxyAuthorization
        self.shared = Shared(tls)
    }

    private init(
        _ origin: Origin,
        _ unixSocketPath: String?,
        _ route: Route,
        _ proxyAuthorization: String?,
        _ shared: Shared
    ) {
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.route = route
        self.proxyAuthorization = proxyAuthorization
        self.shared = shared
    }

    /// Another target with the same TLS settings.
    package func elsewhere(
        _ origin: Origin,
        unixSocketPath: String?,
        route: Route,
        proxyAuthorization: String? = nil
    ) -> ConnectionTarget {
        ConnectionTarget(origin, unixSocketPath, route, proxyAuthorization, self.shared)
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

extension ConnectionTarget: Hashable {
    public static func == (one: ConnectionTarget, other: ConnectionTarget) -> Bool {
        one.origin == other.origin && (one.shared === other.shared || one.shared.tls == other.shared.tls)
            && one.unixSocketPath == other.unixSocketPath && one.route == other.route
            && one.proxyAuthorization == other.proxyAuthorization
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.origin)
        hasher.combine(self.unixSocketPath)
        hasher.combine(self.route)
        hasher.combine(self.shared.tls)
    }
}
