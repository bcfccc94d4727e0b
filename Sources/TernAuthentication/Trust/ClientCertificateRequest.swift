// SPDX-License-Identifier: Apache-2.0

/// The request of a server or a proxy for a client certificate (RFC 8446 §4.3.2).
public struct ClientCertificateRequest: Hashable, Sendable {
    /// The host that sent the request: a name or an address.
    public var host: String
    /// The port of the host.
    public var port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}
