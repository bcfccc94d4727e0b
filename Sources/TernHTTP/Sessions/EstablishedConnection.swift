// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// A connection that is ready for HTTP, and the agreements that were made on the way there.
struct EstablishedConnection: Sendable {
    var connection: any Connection
    /// The agreement with the server; `nil` if the connection to it is not encrypted.
    var tls: TLSFacts?
    /// The agreement with the proxy; `nil` if that does not speak TLS.
    var proxyTLS: TLSFacts?
    /// Whether the proxy opened a tunnel on a credential that is for one call alone.
    var isTunnelForOneCall = false

    /// Whether no other call may use the connection.
    var isForOneCall: Bool {
        self.isTunnelForOneCall || self.tls?.isForOneCall ?? false || self.proxyTLS?.isForOneCall ?? false
    }
}
