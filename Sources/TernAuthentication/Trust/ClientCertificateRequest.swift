// SPDX-License-Identifier: Apache-2.0

/// A server's question for a certificate of the client (RFC 8446 §4.3.2).
public struct ClientCertificateRequest: Hashable, Sendable {
    /// The host that asks: a name or an address.
    public var host: String
    /// Its port.
    public var port: Int

    /// Creates a request.
    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}
