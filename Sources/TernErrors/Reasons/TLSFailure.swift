// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that TLS could not be established.
///
/// If ``isTrust`` is `true`, the server's certificate is the cause, and connecting again does not help. Where something
/// else helps, the documentation of the case says so.
@nonexhaustive
public enum TLSFailure: Error, Hashable, Sendable {
    /// A certificate of the chain has expired: renew the server's certificate, or correct the clock of this device.
    ///
    /// `notAfter` is the end of that certificate's validity (RFC 5280 §4.1.2.5). `nil` if the platform does not report
    /// it.
    case certificateExpired(notAfter: Date? = nil)
    /// A certificate of the chain is not valid yet: the clock of this device or of the certificate's issuer is wrong.
    ///
    /// `notBefore` is the start of that certificate's validity (RFC 5280 §4.1.2.5). `nil` if the platform does not
    /// report it.
    case certificateNotYetValid(notBefore: Date? = nil)
    /// The certificate is for other hosts: connect with a name that it lists, or get a certificate that lists this
    /// host.
    ///
    /// `names` are the names and addresses that the certificate lists, at most 100. Only subject alternative names
    /// count; a certificate without them is valid for no host (RFC 9525 §2).
    case wrongHost(names: [String] = [])
    /// No chain leads from the certificate to a trusted root; `issuer` is the certificate authority whose certificate
    /// is missing.
    ///
    /// If this device does not trust that authority, add its root. If the server does not send an intermediate
    /// certificate, complete the server's configuration.
    case unknownRoot(issuer: String)
    /// The server's certificate is self-signed and not trusted: add it to the trusted certificates, or replace it.
    case selfSigned
    /// The certificate, or an authority above it, is not meant for servers (RFC 5280 §4.2.1.12): get another
    /// certificate.
    case wrongUsage
    /// An issuer in the chain is not permitted to sign this certificate, or the chain has an unsupported critical
    /// extension.
    ///
    /// An issuer is not permitted if it is not an authority, is too far from the root, or may only issue certificates
    /// for other names (RFC 5280 §4.2.1.9, §4.2.1.10). Either the authority made a mistake, or this is an attack.
    case constraintViolated
    /// The certificate is trusted, but no key of its chain is pinned: the pins are out of date, or this is an attack.
    case pinMismatch
    /// The application refused the certificate.
    case rejected
    /// The server ended the handshake because the client has no certificate to present: configure an identity.
    case clientCertificateRequired
    /// The server refused the client's certificate: for example, it has expired, or the server does not trust its
    /// issuer.
    case clientCertificateRefused
    /// Client and server have no version of TLS in common: the server's versions are too old, or the configured minimum
    /// is too new.
    case versionNotSupported
    /// The server chose a protocol that the client did not offer (RFC 7301); the text names it.
    ///
    /// A server must choose one of the offered protocols: report the error to the operator of the server.
    case unsupportedProtocol(String)
    /// The server uses none of the protocols that the client offered, or chose none of them although the call needs
    /// HTTP/2 (RFC 7301 §3.2, RFC 9113 §3.3).
    ///
    /// If the call uses `HTTPVersionPolicy.http2PriorKnowledge`, let it use `HTTPVersionPolicy.automatic`, or enable
    /// HTTP/2 and ALPN on the server.
    case noCommonProtocol
    /// Client and server have no algorithm in common: no cipher suite, no curve, or no signature algorithm for the
    /// server's key.
    ///
    /// The TLS library accepts servers with RSA keys (with PKCS #1 or PSS signatures), P-256, P-384, P-521 and Ed25519
    /// keys. A server with another kind of key, such as Ed448, an RSA key for PSS alone or a Brainpool curve, needs
    /// another certificate.
    case noCommonAlgorithm
    /// A certificate cannot be checked: it is malformed, it uses withdrawn algorithms, or its chain is too long. The
    /// text says why.
    case invalidCertificate(String)
    /// The server answered the handshake in plain HTTP: use `http` in the URL, or the port on which the server uses
    /// HTTPS.
    case plainHTTP
    /// The server sent bytes that are neither TLS nor HTTP, or sent bytes before the handshake: another service
    /// probably listens on the port.
    case notTLS
    /// The handshake failed for another reason; the text is the TLS library's name for that reason.
    case handshake(String)
    /// The server or the network closed the connection during the handshake.
    case closed
    /// The passphrase of the client's certificate or key is wrong, or is missing.
    case wrongPassphrase
    /// The client's own settings are invalid: for example, a root certificate is malformed. The text says why.
    case configuration(String)
}

extension TLSFailure {
    /// Whether the server's certificate is the cause of the failure.
    ///
    /// `false` for failures that come from the handshake, the client's certificate or the client's settings.
    public var isTrust: Bool {
        switch self {
        case .certificateExpired, .certificateNotYetValid, .wrongHost, .unknownRoot, .selfSigned, .wrongUsage,
            .constraintViolated, .pinMismatch, .rejected, .invalidCertificate:
            true
        case .clientCertificateRequired, .clientCertificateRefused, .versionNotSupported, .unsupportedProtocol,
            .noCommonProtocol, .noCommonAlgorithm, .plainHTTP, .notTLS, .handshake, .closed, .wrongPassphrase,
            .configuration:
            false
        }
    }
}

extension TLSFailure: CustomStringConvertible, Described {
    /// A short description of what happened.
    package var wording: String { self.wording(of: "server") }

    /// Returns a short description of what happened.
    ///
    /// - Parameter peer: The word for the other end of the connection: "server" or "proxy".
    /// - Returns: The description.
    func wording(of peer: String) -> String {
        switch self {
        case .certificateExpired(let date):
            "the \(peer)'s certificate, or one in its chain, expired\(date.map { " on \(Sentence.day(of: $0))" } ?? "")"
        case .certificateNotYetValid(let date):
            "the \(peer)'s certificate, or one in its chain, is not valid "
                + (date.map { "before \(Sentence.day(of: $0))" } ?? "yet")
        case .wrongHost(let names) where names.isEmpty: "the \(peer)'s certificate is for another host"
        case .wrongHost(let names):
            "the \(peer)'s certificate is not for this host, but for \(Sentence.list(names, count: 4, length: 64))"
        case .unknownRoot(let issuer):
            "the \(peer)'s certificate depends on \"\(ForeignText.shown(issuer))\", which is not trusted or not known"
        case .selfSigned: "the \(peer)'s certificate is self-signed and not trusted"
        case .wrongUsage: "the \(peer)'s certificate is not meant for servers"
        case .constraintViolated:
            "an issuer is not allowed to sign the \(peer)'s certificate, or an extension is unknown"
        case .pinMismatch: "the \(peer)'s certificates contain none of the pinned keys"
        case .rejected:
            "the app rejected the \(peer)'s certificate, or cancelled the challenge for a client certificate"
        case .clientCertificateRequired: "the \(peer) requires a client certificate"
        case .clientCertificateRefused: "the \(peer) refused the client's certificate"
        case .versionNotSupported: "the client and the \(peer) have no TLS version in common"
        case .unsupportedProtocol(let name):
            "the \(peer) chose the protocol \(ForeignText.shown(name)), which the client did not offer"
        case .noCommonProtocol: "the client and the \(peer) did not agree on a version of HTTP"
        case .noCommonAlgorithm:
            "the client and the \(peer) have no common cipher suite, no common curve, or no common key type"
        case .invalidCertificate(let reason):
            "the client cannot accept the \(peer)'s certificates: \(ForeignText.shown(reason))"
        case .plainHTTP: "the \(peer) answered in plain HTTP; use http://, or the \(peer)'s port for HTTPS"
        case .notTLS: "the \(peer)'s answer is not TLS; check the port"
        case .handshake(let reason): "the handshake failed: \(ForeignText.shown(reason))"
        case .closed: "the \(peer) closed the connection during the handshake"
        case .wrongPassphrase: "the passphrase of the client's certificate is wrong or missing"
        case .configuration(let reason): "the TLS settings are invalid: \(ForeignText.shown(reason))"
        }
    }
}
