// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernAuthentication
import TernProxies

/// A route to a server, directly or through a proxy, as a parameter of tests.
enum Way: String, CaseIterable, Sendable {
    /// Through Squid, without authentication.
    case http
    /// Through Squid, which requires Basic.
    case httpBasic
    /// Through Squid, which requires Digest.
    case httpDigest
    /// Through Squid, which offers Digest and Basic.
    case httpBoth
    /// Through Squid over TLS.
    case https
    /// Through Squid over TLS, which requires Basic.
    case httpsBasic
    /// Through nghttpx over HTTP/2, and Squid behind it.
    case http2
    /// Through nghttpx over HTTP/2, and Squid behind it, which requires Basic.
    case http2Basic
    /// Through Dante, without authentication.
    case socks
    /// Through microsocks, which requires a user name and a password.
    case socksPassword

    static let squids = Self.allCases.filter { $0.port != nil }

    /// Whether the client speaks HTTP/2 with the proxy.
    var isHTTP2: Bool { self == .http2 || self == .http2Basic }

    /// The port of Squid; `nil` if the route is not through Squid.
    var port: Squid.Port? {
        switch self {
        case .http: .open
        case .httpBasic: .basic
        case .httpDigest: .digest
        case .httpBoth: .both
        case .https: .tls
        case .httpsBasic: .tlsBasic
        case .http2: .open
        case .http2Basic: .basic
        case .socks, .socksPassword: nil
        }
    }

    var isSOCKS: Bool { self.port == nil }

    /// Whether the proxy requires authentication.
    var wantsAccount: Bool { self.port?.wantsAccount ?? (self == .socksPassword) }

    /// The proxy, with Albert's credentials if it requires authentication.
    var proxy: Proxy { get async throws { try await self.proxy(as: self.wantsAccount ? .albert : nil) } }

    /// Returns the proxy, with an account or without one.
    func proxy(as account: Account?) async throws -> Proxy {
        switch self {
        case .socks: try await SOCKSServer.open.proxy(as: account)
        case .socksPassword: try await SOCKSServer.closed.proxy(as: account)
        case .http2, .http2Basic: try await HTTP2Proxy.before(self.port ?? .open).proxy(as: account)
        default: try await Squid.shared.proxy(self.port ?? .open, as: account)
        }
    }

    /// Returns a client whose calls take this route, and which trusts the servers and proxies of the tests.
    func makeClient(
        as account: Account? = nil,
        delegate: (any TaskDelegate)? = nil,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws -> Client {
        let proxy = if let account { try await self.proxy(as: account) } else { try await self.proxy }
        return try await Client.trusting(delegate: delegate) { configuration in
            configuration.proxy = .proxy(proxy)
            change(&configuration)
        }
    }
}

extension Client {
    /// Returns a client that trusts the servers and proxies of the tests, and uses no proxy.
    static func trusting(
        delegate: (any TaskDelegate)? = nil,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws -> Client {
        var configuration = Client.Configuration.patient
        configuration.proxy = .direct
        configuration.tls.trust = .only([
            try await Apache.shared.root, try await Nginx.shared.root("root"), try await Squid.shared.root,
            try await WebSocketPeer.websockets.server.root, try await HTTP2Proxy.before(.open).root,
            try await HTTP2Proxy.before(.basic).root,
        ])
        change(&configuration)
        return Client(configuration: configuration, delegate: delegate)
    }

    /// Sends a request, and returns the body as text, and the response.
    func text(_ request: Request, delegate: (any TaskDelegate)? = nil) async throws -> (String, Response) {
        let (data, response) = try await self.data(for: request, delegate: delegate)
        return (String(decoding: data, as: UTF8.self), response)
    }
}

extension TrustPolicy {
    /// Returns a policy that trusts one more authority; the policy must trust only certain authorities.
    func adding(_ root: CertificateSource) -> TrustPolicy {
        guard case .only(let roots) = self.roots else { return self }
        return .only(roots + [root])
    }
}
