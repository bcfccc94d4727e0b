// SPDX-License-Identifier: Apache-2.0
package import TernConnections
package import TernHTTP1
package import TernTransport

/// How an ``HTTPTransport`` connects, and what it accepts.
package struct HTTPTransportConfiguration: Sendable {
    /// How many connections are kept, and for how long.
    package var pool: PoolConfiguration
    /// The TLS settings of all connections.
    package var tls: TLSConfiguration
    /// Which way calls go; without proxies by default.
    package var router: Router
    /// Gives the credentials that a proxy wants before it makes a tunnel; defaults to `nil`.
    package var tunnelAuthorizer: (any TunnelAuthorizer)?
    /// How long and how many the heads of a response may be.
    package var limits: HTTP1Limits
    /// From which length on, in bytes, a body waits for `100 Continue`; 1 MiB by default, as in curl.
    ///
    /// A body of unknown length waits too; with `nil` none waits unless the request asks for it (RFC 9110 §10.1.1).
    package var expectContinueThreshold: Int64?
    /// How long to wait for `100 Continue` before the body is sent all the same; 1 s by default, as in curl.
    package var expectContinueTimeout: Duration

    /// Creates a configuration; see the properties for the defaults and their reasons.
    package init(
        pool: PoolConfiguration = PoolConfiguration(),
        tls: TLSConfiguration = TLSConfiguration(),
        router: Router = Router(),
        tunnelAuthorizer: (any TunnelAuthorizer)? = nil,
        limits: HTTP1Limits = HTTP1Limits(),
        expectContinueThreshold: Int64? = 1 << 20,
        expectContinueTimeout: Duration = .seconds(1)
    ) {
        self.pool = pool
        self.tls = tls
        self.router = router
        self.tunnelAuthorizer = tunnelAuthorizer
        self.limits = limits
        self.expectContinueThreshold = expectContinueThreshold
        self.expectContinueTimeout = expectContinueTimeout
    }
}

/// What of an ``HTTPTransportConfiguration`` each exchange needs: a few numbers, which cost nothing to copy.
struct ExchangeSettings: Sendable {
    let limits: HTTP1Limits
    let expectContinueThreshold: Int64?
    let expectContinueTimeout: Duration

    init(_ configuration: HTTPTransportConfiguration) {
        self.limits = configuration.limits
        self.expectContinueThreshold = configuration.expectContinueThreshold
        self.expectContinueTimeout = configuration.expectContinueTimeout
    }
}
