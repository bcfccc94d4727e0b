// SPDX-License-Identifier: Apache-2.0
public import TernConnections
public import TernErrors

/// A step of an exchange, in the usual order of the steps; most exchanges skip some of them.
@nonexhaustive
public enum ExchangeMilestone: Hashable, Sendable {
    /// The call waits: the client may not open another connection to the host, another call is opening one, or there is no network
    /// (`URLSession`).
    case waiting
    /// A new connection is being made.
    case connecting
    /// A host name is being looked up.
    case resolving
    /// The host name was resolved to this many usable addresses.
    case resolved(addressCount: Int)
    /// The client begins to connect to one address, such as `192.0.2.1:443`; several attempts may overlap (RFC 8305).
    case attempting(address: String)
    /// The attempt to connect to one address has ended: with `nil` if it succeeded, with `.interrupted` if another address was
    /// faster or the client gave up.
    case attempted(address: String, ConnectionFailure?)
    /// The client is connected to the server or, if there is one, to the proxy; if the proxy uses TLS, after ``proxySecured(_:)``.
    case connected
    /// A TLS handshake begins: with the proxy, or with the server.
    case securing(isProxy: Bool)
    /// TLS is established with the proxy.
    case proxySecured(TLSFacts)
    /// The client asks the proxy for a tunnel to the server.
    case tunnelling
    /// The proxy opened a tunnel to the server.
    case tunnelled
    /// TLS is established with the server.
    case secured(TLSFacts)
    /// The exchange has a connection on which to send the request.
    case begun(ExchangeConnection)
    /// The request has opened a stream of HTTP/2, with this number (RFC 9113 §5.1.1).
    case streamOpened(number: Int)
    /// The head of the request was handed to the network; the number of bytes does not include the body.
    case headSent(byteCount: Int)
    /// The body of the request was handed to the network; the number of bytes includes chunk framing, except with `URLSession`.
    case bodySent(byteCount: Int64)
    /// The first byte of the response, or of the first interim response, has arrived.
    case firstByte
    /// The head of the final response has arrived; `version` is like `HTTP/1.0`.
    ///
    /// `headByteCount` includes the interim responses of HTTP/1.1; over HTTP/2, it is the length of the decompressed fields. With
    /// `URLSession`, it is 0, and `version` is `HTTP/1.1`.
    case answered(statusCode: Int, version: String, headByteCount: Int)
    /// The body of the response has ended, failed or was abandoned; the number includes chunk framing, except with `URLSession`.
    case finished(bodyByteCount: Int64)
    /// The transport sends the request again.
    ///
    /// The server had closed the connection, refused the request without processing it, answered 421 (Misdirected Request), or
    /// refused `Expect: 100-continue` with 417. Or the HTTP/2 connection accepted no more streams.
    case repeating
}

extension ExchangeMilestone {
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
    /// Whether the connection has served another exchange before.
    public var isReused: Bool
    /// The addresses of the two ends, as far as the connection knows them.
    public var addresses: ConnectionAddresses
    /// The proxy at the other end, without user and password; `nil` if there is none.
    public var proxy: String?
    /// The TLS parameters negotiated with the server; `nil` without TLS.
    public var tls: TLSFacts?
    /// The version of HTTP that the connection uses.
    package var version: HTTPVersion

    package init(
        isReused: Bool,
        addresses: ConnectionAddresses = ConnectionAddresses(),
        proxy: String? = nil,
        tls: TLSFacts? = nil,
        version: HTTPVersion = .http11
    ) {
        self.isReused = isReused
        self.addresses = addresses
        self.proxy = proxy
        self.tls = tls
        self.version = version
    }
}
