// SPDX-License-Identifier: Apache-2.0
package import TernConnections
package import TernTransport

/// The settings of an ``HTTPTransport`` for connections and responses.
package struct HTTPTransportConfiguration: Sendable {
    /// The limits for connections.
    package var pool: PoolConfiguration
    /// The TLS settings of all connections.
    package var tls: TLSConfiguration
    /// Chooses the route of each call: directly to the server, or through a proxy.
    ///
    /// Defaults to no proxies.
    package var router: Router
    /// Provides the credentials that a proxy requires before it opens a tunnel.
    ///
    /// Defaults to `nil`.
    package var tunnelAuthorizer: (any TunnelAuthorizer)?
    /// The limits for the heads of responses.
    package var limits: HeadLimits
    /// The settings of HTTP/2.
    package var http2: HTTP2Configuration
    /// The versions of HTTP for requests that choose none.
    ///
    /// Defaults to ``HTTPVersionPolicy/automatic``.
    package var versions: HTTPVersionPolicy
    /// The minimum length, in bytes, of a body that waits for `100 Continue` over HTTP/1.1.
    ///
    /// Defaults to 1 MiB, as in curl.
    ///
    /// A body of unknown length waits, too. With `nil`, only requests that ask for `100 Continue` themselves wait (RFC
    /// 9110 §10.1.1).
    package var expectContinueThreshold: Int64?
    /// The time to wait for `100 Continue`.
    ///
    /// After this time, the client sends the body without waiting any longer.
    ///
    /// Defaults to 1 second, as in curl.
    package var expectContinueTimeout: Duration
    /// Decodes the transfer codings of a body, apart from `chunked` (RFC 9112 §7.2).
    ///
    /// Defaults to `nil`: a body with such codings fails when a task reads it.
    package var transferDecoder: TransferDecoder?

    /// Returns a reply whose body has no transfer codings, for a reply whose response has `transferCodings`.
    package typealias TransferDecoder = @Sendable (HTTPReply, HTTPCall) -> HTTPReply

    /// Creates a configuration.
    ///
    /// The comments of the properties describe the defaults.
    package init(
        pool: PoolConfiguration = PoolConfiguration(),
        tls: TLSConfiguration = TLSConfiguration(),
        router: Router = Router(),
        tunnelAuthorizer: (any TunnelAuthorizer)? = nil,
        limits: HeadLimits = HeadLimits(),
        http2: HTTP2Configuration = HTTP2Configuration(),
        versions: HTTPVersionPolicy = .automatic,
        expectContinueThreshold: Int64? = 1 << 20,
        expectContinueTimeout: Duration = .seconds(1),
        transferDecoder: TransferDecoder? = nil
    ) {
        self.pool = pool
        self.tls = tls
        self.router = router
        self.tunnelAuthorizer = tunnelAuthorizer
        self.limits = limits
        self.http2 = http2
        self.versions = versions
        self.expectContinueThreshold = expectContinueThreshold
        self.expectContinueTimeout = expectContinueTimeout
        self.transferDecoder = transferDecoder
    }
}

/// The part of an ``HTTPTransportConfiguration`` that each exchange needs.
///
/// It consists of a few numbers, so it is cheap to copy.
struct ExchangeSettings: Sendable {
    let limits: HeadLimits
    let http2: HTTP2Configuration
    let expectContinueThreshold: Int64?
    let expectContinueTimeout: Duration

    init(_ configuration: HTTPTransportConfiguration) {
        self.limits = configuration.limits
        self.http2 = configuration.http2
        self.expectContinueThreshold = configuration.expectContinueThreshold
        self.expectContinueTimeout = configuration.expectContinueTimeout
    }
}
