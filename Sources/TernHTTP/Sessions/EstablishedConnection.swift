// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// A connection that is ready for HTTP, with its negotiated TLS parameters.
struct EstablishedConnection: Sendable {
    var connection: any Connection
    /// The TLS parameters of the connection to the server; `nil` without TLS.
    var tls: TLSFacts?
    /// The TLS parameters of the connection to the proxy; `nil` if the proxy does not use TLS.
    var proxyTLS: TLSFacts?
    /// Whether the credentials that opened the tunnel belong to one call only.
    var isTunnelForOneCall = false

    /// Whether no other call may use the connection.
    var isForOneCall: Bool {
        self.isTunnelForOneCall || self.tls?.isForOneCall ?? false || self.proxyTLS?.isForOneCall ?? false
    }
}
