// SPDX-License-Identifier: Apache-2.0
public import TernHTTP1
public import TernTransport

/// How an ``HTTPTransport`` connects, and what it accepts.
public struct HTTPTransportConfiguration: Sendable {
    /// How many connections are kept, and for how long.
    public var pool: PoolConfiguration
    /// The TLS settings of all connections.
    public var tls: TLSConfiguration
    /// Which way calls go; without proxies by default.
    public var router: Router
    /// Gives the credentials that a proxy wants before it makes a tunnel; nobody by default.
    public var tunnelAuthorizer: (any TunnelAuthorizer)?
    /// How long and how many the heads of a response may be.
    public var limits: ResponseDecoder.Limits
    /// From which length on, in bytes, a body waits for `100 Continue`; 1 MiB by default, as in curl.
    ///
    /// A body of unknown length waits too; with `nil` none waits unless the request asks for it (RFC 9110 §10.1.1).
    public var expectContinueThreshold: Int64?
    /// How long to wait for `100 Continue` before the body is sent all the same; 1 s by default, as in curl.
    public var expectContinueTimeout: Duration

    /// Creates a configuration; see the properties for the defaults and their reasons.
    public init(
        pool: PoolConfiguration = PoolConfiguration(),
        tls: TLSConfiguration = TLSConfiguration(),
        router: Router = Router(),
        tunnelAuthorizer: (any TunnelAuthorizer)? = nil,
        limits: ResponseDecoder.Limits = ResponseDecoder.Limits(),
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
