// SPDX-License-Identifier: Apache-2.0
package import TernConnections
package import TernTransport

package struct HTTPTransportConfiguration: Sendable {
    package var pool: PoolConfiguration
    package var tls: TLSConfiguration
    package var router: Router
    package var tunnelAuthorizer: (any TunnelAuthorizer)?
    package var limits: HeadLimits
    package var http2: HTTP2Configuration
    /// The versions of HTTP for requests that choose none.
    package var versions: HTTPVersionPolicy
    /// The length, in bytes, from which a body waits for `100 Continue` over HTTP/1.1 (RFC 9110 §10.1.1), as in curl.
    ///
    /// A body of unknown length waits, too. With `nil`, only requests that ask for `100 Continue` themselves wait.
    package var expectContinueThreshold: Int64?
    /// The time after which the client sends the body without `100 Continue`, as in curl.
    package var expectContinueTimeout: Duration
    /// Decodes the transfer codings of a body, apart from `chunked` (RFC 9112 §7.2); with `nil`, reading a coded body fails.
    package var transferDecoder: TransferDecoder?

    package typealias TransferDecoder = @Sendable (HTTPReply, HTTPCall) -> HTTPReply

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

/// The part of an ``HTTPTransportConfiguration`` that each exchange needs, which is cheap to copy.
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
