// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernProxies

/// A way to a server, as a parameter of tests.
enum Way: String, CaseIterable, Sendable {
    /// Squid, without authentication.
    case http
    /// Squid, which wants Basic.
    case httpBasic
    /// Squid, which wants Digest.
    case httpDigest
    /// Squid, which offers both.
    case httpBoth
    /// Squid behind TLS.
    case https
    /// Squid behind TLS, which wants Basic.
    case httpsBasic
    /// Dante, without authentication.
    case socks
    /// microsocks, which wants a user and a password.
    case socksPassword

    static let squids = Self.allCases.filter { $0.port != nil }

    /// The port of Squid; `nil` if the way is not through it.
    var port: Squid.Port? {
        switch self {
        case .http: .open
        case .httpBasic: .basic
        case .httpDigest: .digest
        case .httpBoth: .both
        case .https: .tls
        case .httpsBasic: .tlsBasic
        case .socks, .socksPassword: nil
        }
    }

    var isSOCKS: Bool { self.port == nil }

    /// Whether the proxy wants to know who asks.
    var wantsAccount: Bool { self.port?.wantsAccount ?? (self == .socksPassword) }

    /// The proxy with Albert's credentials, or without credentials if it does not ask for them.
    var proxy: Proxy { get async throws { try await self.proxy(as: self.wantsAccount ? .albert : nil) } }

    /// The proxy, with an account or without one.
    func proxy(as account: Account?) async throws -> Proxy {
        switch self {
        case .socks: try await SOCKSServer.open.proxy(as: account)
        case .socksPassword: try await SOCKSServer.closed.proxy(as: account)
        default: try await Squid.shared.proxy(self.port ?? .open, as: account)
        }
    }

    /// A client whose calls go this way, and who trusts the servers and proxies of the tests.
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
    /// A client who trusts the servers and proxies of the tests, and goes directly.
    static func trusting(
        delegate: (any TaskDelegate)? = nil,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws -> Client {
        var configuration = Client.Configuration.patient
        configuration.proxy = .direct
        configuration.tls.trust = .only([
            try await Apache.shared.root, try await Nginx.shared.root("root"), try await Squid.shared.root,
            try await WebSocketPeer.websockets.server.root,
        ])
        change(&configuration)
        return Client(configuration: configuration, delegate: delegate)
    }

    /// The body of an answer, as text, and the answer.
    func text(_ request: Request, delegate: (any TaskDelegate)? = nil) async throws -> (String, Response) {
        let (data, response) = try await self.data(for: request, delegate: delegate)
        return (String(decoding: data, as: UTF8.self), response)
    }
}
