// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernProxies
import TernRequests
import TernTransport

/// The properties that a request requires of its connection, in one storage, because targets are often copied.
///
/// Requests with equal targets may share a connection. The TLS settings of a transport's targets are compared by reference.
struct ConnectionTarget: Sendable {
    private final class SharedTLS: Sendable {
        let configuration: TLSConfiguration

        init(_ configuration: TLSConfiguration) { self.configuration = configuration }
    }

    private final class Storage: Sendable {
        let origin: Origin
        let unixSocketPath: String?
        let route: Route
        /// The credentials that the request itself contains for the proxy; only requests with the same credentials share a tunnel.
        let proxyAuthorization: String?
        let versions: HTTPVersionPolicy
        let proxyVersions: HTTPVersionPolicy
        let tls: SharedTLS

        init(
            _ origin: Origin,
            _ unixSocketPath: String?,
            _ route: Route,
            _ proxyAuthorization: String?,
            _ versions: HTTPVersionPolicy,
            _ proxyVersions: HTTPVersionPolicy,
            _ tls: SharedTLS
        ) {
            self.origin = origin
            self.unixSocketPath = unixSocketPath
            self.route = route
            self.proxyAuthorization = proxyAuthorization
            self.versions = versions
            self.proxyVersions = proxyVersions
            self.tls = tls
        }
    }

    private let storage: Storage

    /// The scheme, host and port of the server, or of a proxy that forwards the request.
    var origin: Origin { self.storage.origin }
    var unixSocketPath: String? { self.storage.unixSocketPath }
    /// The route; two routes differ if the user names or passwords for their proxies differ.
    var route: Route { self.storage.route }
    var versions: HTTPVersionPolicy { self.storage.versions }
    var proxyVersions: HTTPVersionPolicy { self.storage.proxyVersions }
    var tls: TLSConfiguration { self.storage.tls.configuration }

    init(
        origin: Origin,
        unixSocketPath: String? = nil,
        route: Route = .direct,
        proxyAuthorization: String? = nil,
        versions: HTTPVersionPolicy = .http1,
        proxyVersions: HTTPVersionPolicy = .http1,
        tls: TLSConfiguration = TLSConfiguration()
    ) {
        let tls = SharedTLS(tls)
        self.storage = Storage(origin, unixSocketPath, route, proxyAuthorization, versions, proxyVersions, tls)
    }

    private init(_ storage: Storage) { self.storage = storage }

    func retargeted(
        to origin: Origin,
        unixSocketPath: String?,
        route: Route,
        proxyAuthorization: String? = nil,
        versions: HTTPVersionPolicy = .http1,
        proxyVersions: HTTPVersionPolicy = .http1
    ) -> ConnectionTarget {
        let tls = self.storage.tls
        return ConnectionTarget(
            Storage(origin, unixSocketPath, route, proxyAuthorization, versions, proxyVersions, tls)
        )
    }

    /// Returns the target of a connection to a proxy, which requests and tunnels over HTTP/2 to different servers can share.
    func retargeted(toProxy proxy: Proxy, versions: HTTPVersionPolicy) -> ConnectionTarget {
        let origin = Origin(scheme: .http, host: proxy.host, port: proxy.port)
        return self.retargeted(to: origin, unixSocketPath: nil, route: .forward(proxy), versions: versions)
    }

    /// The target of the connection to the proxy, if the tunnel may share it with others.
    var sharedProxyTarget: ConnectionTarget? {
        guard case .tunnel(let proxy) = self.route, self.proxyVersions != .http1 else { return nil }
        return self.retargeted(toProxy: proxy, versions: self.proxyVersions)
    }

    /// The target of a new connection for a WebSocket: a server that could choose HTTP/2 seldom accepts WebSockets over it, and
    /// says so only after the handshake.
    var limitedForWebSocket: ConnectionTarget {
        let storage = self.storage
        guard storage.versions == .automatic else { return self }
        return self.retargeted(
            to: storage.origin,
            unixSocketPath: storage.unixSocketPath,
            route: storage.route,
            proxyAuthorization: storage.proxyAuthorization,
            versions: .http1,
            proxyVersions: storage.proxyVersions
        )
    }

    var isEncrypted: Bool { self.origin.scheme == .https }

    /// The Unix domain socket or the proxy if there is one, otherwise the server.
    var endpoint: ConnectionEndpoint {
        if let path = self.unixSocketPath { return .unixSocket(path: path) }
        if let proxy = self.route.proxy { return .host(proxy.host, port: proxy.port) }
        return .host(self.origin.host, port: self.origin.port)
    }
}

extension ConnectionTarget: CustomStringConvertible, CustomReflectable {
    /// The origin and the route, without user and password.
    var description: String {
        "\(self.origin)\(self.route.proxy.map { " through \($0)" } ?? "")"
    }

    /// The parts, without credentials.
    var customMirror: Mirror {
        Mirror(
            self,
            children: ["origin": self.origin, "unixSocketPath": self.unixSocketPath as Any, "route": self.route],
            displayStyle: .struct
        )
    }
}

extension ConnectionTarget: Hashable {
    static func == (one: ConnectionTarget, other: ConnectionTarget) -> Bool {
        let (one, other) = (one.storage, other.storage)
        return one === other
            || one.origin == other.origin && one.route == other.route && one.unixSocketPath == other.unixSocketPath
                && one.proxyAuthorization == other.proxyAuthorization && one.versions == other.versions
                && one.proxyVersions == other.proxyVersions
                && (one.tls === other.tls || one.tls.configuration == other.tls.configuration)
    }

    /// Hashes the parts that usually differ, and not the TLS settings, because that would cost time, and all targets share them.
    func hash(into hasher: inout Hasher) {
        hasher.combine(self.storage.origin)
        hasher.combine(self.storage.unixSocketPath)
        hasher.combine(self.storage.route)
        hasher.combine(self.storage.versions)
    }
}
