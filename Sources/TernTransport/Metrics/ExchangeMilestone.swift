// SPDX-License-Identifier: Apache-2.0
public import TernConnections
public import TernErrors

/// A step of an exchange; the cases are in their usual order, and most exchanges skip some of them.
@nonexhaustive
public enum ExchangeMilestone: Hashable, Sendable {
    /// The call waits: the client may not open another connection to the host or is already opening one, or `URLSession` has no
    /// suitable network.
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
    ///
    /// With `URLSession`, only after ``waiting``, when a part of the body was sent, or the response arrives.
    case connected
    /// A TLS handshake begins: with the proxy, or with the server.
    case securing(isProxy: Bool)
    /// TLS is established with the proxy.
    case proxySecured(TLSFacts)
    /// The client begins to open a tunnel to the server through the proxy.
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
    /// The first byte of a response, interim or final, has arrived; with `URLSession`, always of the final one.
    case firstByte
    /// The head of the final response has arrived; `version` is like `HTTP/1.0`.
    ///
    /// `headByteCount` includes the interim responses of HTTP/1.1; over HTTP/2, it is the length of the decompressed fields. With
    /// `URLSession`, it is 0, and `version` is `HTTP/1.1`.
    case answered(statusCode: Int, version: String, headByteCount: Int)
    /// The body of the response has ended, failed or was abandoned; the number includes chunk framing, except with `URLSession`.
    case finished(bodyByteCount: Int64)
    /// The transport tries again to send the request.
    ///
    /// The connection was lost or accepted no more streams, or the server refused the request without processing it, answered 421
    /// (Misdirected Request), or refused `Expect: 100-continue` with 417.
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
    /// Whether another exchange got the connection before.
    public var isReused: Bool
    /// The addresses of the two ends, as far as the connection knows them.
    public var addresses: ConnectionAddresses
    /// The proxy at the other end, without user and password; `nil` if there is none.
    public var proxy: String?
    /// The TLS parameters negotiated with the server; `nil` without TLS to the server.
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
