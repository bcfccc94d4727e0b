// SPDX-License-Identifier: Apache-2.0
public import TernProxies

/// The way from the client to a server.
///
/// Every request has one, and hardly any a proxy; so it is one word.
public indirect enum Route: Hashable, Sendable {
    /// A connection to the server.
    case direct
    /// The proxy is asked to forward the request (RFC 9112 §3.2.2, absolute-form).
    case forward(Proxy)
    /// The proxy makes a connection to the server, by CONNECT (RFC 9110 §9.3.6) or SOCKS (RFC 1928).
    case tunnel(Proxy)

    /// The proxy, if there is one.
    public var proxy: Proxy? {
        switch self {
        case .direct: nil
        case .forward(let proxy), .tunnel(let proxy): proxy
        }
    }
}
