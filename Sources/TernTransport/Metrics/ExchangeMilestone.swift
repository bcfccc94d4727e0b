// SPDX-License-Identifier: Apache-2.0
public import TernConnections
public import TernErrors

/// The steps of one exchange, in the order in which they happen; most exchanges skip some.
@nonexhaustive
public enum ExchangeMilestone: Hashable, Sendable {
    /// No connection is free, and the host has as many as it may: the call waits.
    case waiting
    /// A new connection is being made.
    case connecting
    /// A host name is being looked up.
    case resolving
    /// The host name was looked up, and has so many addresses.
    case resolved(addressCount: Int)
    /// TCP is being established to one address, `host:port`; there may be several at once (RFC 8305).
    case attempting(address: String)
    /// TCP is established to one address, or why it is not; `interrupted` where another was faster.
    case attempted(address: String, ConnectionFailure?)
    /// The host was looked up and TCP is established, to the server or to its proxy.
    case connected
    /// A TLS handshake begins: with the proxy, or with the server.
    case securing(isProxy: Bool)
    /// TLS is established with the proxy.
    case proxySecured(TLSFacts)
    /// The proxy is asked for a tunnel to the server.
    case tunnelling
    /// The proxy made a tunnel to the server.
    case tunnelled
    /// TLS is established.
    case secured(TLSFacts)
    /// The exchange has its connection.
    case begun(ExchangeConnection)
    /// The head of the request was handed to the network: so many bytes, without the body.
    case headSent(byteCount: Int)
    /// The body of the request was handed to the network, if there is one: so many bytes, chunk framing included.
    case bodySent(byteCount: Int64)
    /// The first byte of the response has come, or of an interim one.
    case firstByte
    /// The head of the final response is here; interim responses count towards its bytes.
    ///
    /// `version` is the version of HTTP that the server spoke, such as `HTTP/1.0`.
    case answered(statusCode: Int, version: String, headByteCount: Int)
    /// The body of the response was read to its end, or abandoned: so many bytes came, chunk framing included.
    case finished(bodyByteCount: Int64)
    /// The transport sends the request again, by itself: the connection was stale, or `100 Continue` was refused.
    case repeating
}

extension ExchangeMilestone {
    /// The step that a connector reports, as one of the exchange that waits for the connection.
    package init(_ milestone: ConnectionMilestone) {
        self =
            switch milestone {
            case .resolving: .resolving
            case .resolved(let addressCount): .resolved(addressCount: addressCount)
            case .attempting(let address): .attempting(address: address)
            case .attempted(let address, let failure): .attempted(address: address, failure)
            }
    }
}

/// The connection that serves an exchange.
public struct ExchangeConnection: Hashable, Sendable {
    /// Whether it has served another exchange before.
    public var isReused: Bool
    /// Its two ends, as far as the connection knows them.
    public var addresses: ConnectionAddresses
    /// The proxy at its other end, without user and password; `nil` if there is none.
    public var proxy: String?
    /// What was agreed when TLS was established with the server; `nil` without TLS.
    public var tls: TLSFacts?

    /// Describes a connection.
    ///
    /// - Parameters:
    ///   - isReused: whether it has served another exchange before.
    ///   - addresses: its two ends; not known by default.
    ///   - proxy: the proxy at its other end; none by default.
    ///   - tls: what was agreed with the server; nothing by default.
    package init(
        isReused: Bool,
        addresses: ConnectionAddresses = ConnectionAddresses(),
        proxy: String? = nil,
        tls: TLSFacts? = nil
    ) {
        self.isReused = isReused
        self.addresses = addresses
        self.proxy = proxy
        self.tls = tls
    }
}
