// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// A connection that is ready for HTTP, with the TLS parameters that were negotiated.
struct EstablishedConnection: Sendable {
    var connection: any Connection
    /// The TLS parameters of the connection to the server; `nil` if it is not encrypted.
    var tls: TLSFacts?
    /// The TLS parameters of the connection to the proxy; `nil` if the proxy does not use TLS.
    var proxyTLS: TLSFacts?
    /// Whether the proxy opened the tunnel for a credential that belongs to one call only.
    var isTunnelForOneCall = false

    /// Whether no other call may use the connection.
    var isForOneCall: Bool {
        self.isTunnelForOneCall || self.tls?.isForOneCall ?? false || self.proxyTLS?.isForOneCall ?? false
    }
}
