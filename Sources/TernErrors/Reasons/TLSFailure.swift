// SPDX-License-Identifier: Apache-2.0

/// Why TLS could not be established.
@nonexhaustive
public enum TLSFailure: Hashable, Sendable {
    /// The server's certificate is not trusted: unknown root, expired, or not yet valid.
    case untrustedCertificate
    /// The certificate is trusted, but for another host.
    case wrongHost
    /// The handshake failed: no common version or cipher, or the server does not speak TLS. The text is the library's.
    case handshake(String)
    /// The server closed the connection during the handshake.
    case closed
    /// The client's own settings cannot be used, such as a root certificate that cannot be read.
    case configuration(String)
}

extension TLSFailure: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .untrustedCertificate: "the server's certificate is not trusted"
        case .wrongHost: "the server's certificate is for another host"
        case .handshake(let reason): "the handshake failed: \(reason)"
        case .closed: "the server closed the connection during the handshake"
        case .configuration(let reason): "the settings cannot be used: \(reason)"
        }
    }
}
