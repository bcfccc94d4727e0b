// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernProxies
import TernRequests
import TernTransport

/// Everything that makes one connection differ from another: two requests with equal targets may share one.
///
/// One is made for each request and handed down many levels, so its copies share one store; targets of one transport
/// share their TLS settings, and compare them by reference.
struct ConnectionTarget: Sendable {
    private final class SharedTLS: Sendable {
        let configuration: TLSConfiguration

        init(_ configuration: TLSConfiguration) { self.configuration = configuration }
    }

    private final class Storage: Sendable {
        let origin: Origin
        let unixSocketPath: String?
        let route: Route
        /// The caller's own credentials for the proxy; a tunnel that they opened is for this caller alone.
        let proxyAuthorization: String?
        let tls: SharedTLS

        init(
            _ origin: Origin,
            _ unixSocketPath: String?,
            _ route: Route,
            _ proxyAuthorization: String?,
            _ tls: SharedTLS
        ) {
            self.origin = origin
            self.unixSocketPath = unixSocketPath
            self.route = route
            self.proxyAuthorization = proxyAuthorization
            self.tls = tls
        }
    }

    private let storage: Storage

    /// Scheme, host and port of the server; of the proxy, where it is asked to forward.
    var origin: Origin { self.storage.origin }
    /// The Unix-domain socket to connect to instead of host and port; `nil` by default.
    var unixSocketPath: String? { self.storage.unixSocketPath }
    /// The way there, direct by default; two proxies that differ in the user alone are two ways.
    var route: Route { self.storage.route }
    /// The TLS settings; used with the scheme `https`, and with a proxy that speaks TLS.
    var tls: TLSConfiguration { self.storage.tls.configuration }

    /// Creates a target.
    init(
        origin: Origin,
        unixSocketPath: String? = nil,
        route: Route = .direct,
        proxyAuthorization: String? = nil,
        tls: TLSConfiguration = TLSConfiguration()
    ) {
        self.storage = Storage(origin, unixSocketPath, route, proxyAuthorization, SharedTLS(tls))
    }

    private init(_ storage: Storage) { self.storage = storage }

    /// Another target with the same TLS settings.
    func retargeted(
        to origin: Origin,
        unixSocketPath: String?,
        route: Route,
        proxyAuthorization: String? = nil
    ) -> ConnectionTarget {
        ConnectionTarget(Storage(origin, unixSocketPath, route, proxyAuthorization, self.storage.tls))
    }

    /// Whether the connection to the origin is to be encrypted.
    var isEncrypted: Bool { self.origin.scheme == .https }

    /// What to connect to first.
    var endpoint: ConnectionEndpoint {
        if let path = self.unixSocketPath { return .unixSocket(path: path) }
        if let proxy = self.route.proxy { return .host(proxy.host, port: proxy.port) }
        return .host(self.origin.host, port: self.origin.port)
    }
}

extension ConnectionTarget: CustomStringConvertible, CustomReflectable {
    /// Where to and which way, without user and password.
    var description: String {
        "\(self.origin)\(self.route.proxy.map { " through \($0)" } ?? "")"
    }

    /// The parts but for what says who asks.
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
                && one.proxyAuthorization == other.proxyAuthorization
                && (one.tls === other.tls || one.tls.configuration == other.tls.configuration)
    }

    /// Leaves the TLS settings out: the targets of one transport share them.
    func hash(into hasher: inout Hasher) {
        hasher.combine(self.storage.origin)
        hasher.combine(self.storage.unixSocketPath)
        hasher.combine(self.storage.route)
    }
}
