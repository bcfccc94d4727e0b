// SPDX-License-Identifier: Apache-2.0
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why TLS could not be established.
///
/// The cases that concern the server's certificate (``isTrust``) say what to do about it. Connecting again does not help
/// with any of them.
@nonexhaustive
public enum TLSFailure: Error, Hashable, Sendable {
    /// A certificate of the chain has expired: the server's needs renewal, or the clock of this device is wrong.
    ///
    /// `notAfter` is the last moment at which it was valid (RFC 5280 §4.1.2.5); `nil` where the platform does not tell.
    case certificateExpired(notAfter: Date? = nil)
    /// A certificate of the chain is not valid yet: the clock of the device or of its issuer is wrong.
    ///
    /// `notBefore` is the first moment at which it is valid (RFC 5280 §4.1.2.5); `nil` where the platform does not tell.
    case certificateNotYetValid(notBefore: Date? = nil)
    /// The certificate is for other hosts: connect by a name that it lists, or have this one added to it.
    ///
    /// `names` are the names and addresses that the certificate lists, 100 at most. Only subject alternative names count; a
    /// certificate without them is for no host (RFC 9525 §2).
    case wrongHost(names: [String] = [])
    /// No path leads from the certificate to a trusted root; `issuer` is the authority that was looked for.
    ///
    /// Either that authority is not trusted here, and its root has to be added, or the server does not send an intermediate
    /// certificate, and its configuration has to be completed.
    case unknownRoot(issuer: String)
    /// The server's certificate is signed by itself and is not among the trusted ones: trust it by name, or replace it.
    case selfSigned
    /// The certificate, or an authority above it, is not meant for servers (RFC 5280 §4.2.1.12): ask for another one.
    case wrongUsage
    /// An authority of the chain may not sign this certificate, or an extension that must be understood is not.
    ///
    /// It is not an authority at all, too far from the root, or limited to other names (RFC 5280 §4.2.1.9, §4.2.1.10). This
    /// is a fault of the authority, or an attack.
    case constraintViolated
    /// The certificate is trusted, but no key of its chain is pinned: the pins are out of date, or it is an attack.
    case pinMismatch
    /// The application refused the certificate.
    case rejected
    /// The server asks for a client certificate and ended the handshake without one: configure an identity.
    case clientCertificateRequired
    /// The server refused the client's certificate: it has expired, or its issuer is not one that the server trusts.
    case clientCertificateRefused
    /// Client and server have no version of TLS in common: the server's is too old, or the configured minimum too new.
    case versionNotSupported
    /// The server chose a protocol that the client does not speak (RFC 7301); it is named.
    ///
    /// Servers choose among what the client offers: take it out of the configuration's `applicationProtocols`.
    case unsupportedProtocol(String)
    /// Client and server have no algorithm in common: no cipher suite, no curve, or none that the server's key can sign by.
    ///
    /// The TLS library takes servers with keys of RSA (with PKCS #1 or PSS signatures), P-256, P-384, P-521 and Ed25519. A
    /// server with another kind of key, such as Ed448, RSA-PSS alone or a Brainpool curve, needs another certificate.
    case noCommonAlgorithm
    /// A certificate cannot be judged: it cannot be read, uses withdrawn algorithms, or the chain is too long.
    case invalidCertificate(String)
    /// The server answered the handshake in plain HTTP: the URL needs `http`, or the port of the server's HTTPS.
    case plainHTTP
    /// The server answered the handshake with bytes that are neither TLS nor HTTP: another service listens on the port.
    case notTLS
    /// The handshake failed for another reason; the text is the library's name of it.
    case handshake(String)
    /// The server closed the connection during the handshake.
    case closed
    /// The passphrase of the client's certificate or key is wrong, or is missing.
    case wrongPassphrase
    /// The client's own settings cannot be used, such as a root certificate that cannot be read.
    case configuration(String)
}

extension TLSFailure {
    /// Whether the server's certificate is the reason, and not the handshake, the client's certificate or its settings.
    public var isTrust: Bool {
        switch self {
        case .certificateExpired, .certificateNotYetValid, .wrongHost, .unknownRoot, .selfSigned, .wrongUsage,
            .constraintViolated, .pinMismatch, .rejected, .invalidCertificate:
            true
        case .clientCertificateRequired, .clientCertificateRefused, .versionNotSupported, .unsupportedProtocol,
            .noCommonAlgorithm, .plainHTTP, .notTLS, .handshake, .closed, .wrongPassphrase, .configuration:
            false
        }
    }
}

extension TLSFailure: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .certificateExpired(let date):
            "the server's certificate, or one above it, expired\(date.map { " on \(Sentence.day(of: $0))" } ?? "")"
        case .certificateNotYetValid(let date):
            "the server's certificate, or one above it, is not valid "
                + (date.map { "before \(Sentence.day(of: $0))" } ?? "yet")
        case .wrongHost(let names) where names.isEmpty: "the server's certificate is for another host"
        case .wrongHost(let names): "the server's certificate is for \(Sentence.list(names, count: 4, length: 64))"
        case .unknownRoot(let issuer):
            "the server's certificate leads to no trusted root; its issuer is \(ForeignText.shown(issuer))"
        case .selfSigned: "the server's certificate is self-signed and not trusted"
        case .wrongUsage: "the server's certificate is not meant for servers"
        case .constraintViolated: "the server's certificate breaks a constraint of its chain"
        case .pinMismatch: "no key of the server's certificates is pinned"
        case .rejected: "the server's certificate was rejected"
        case .clientCertificateRequired: "the server requires a client certificate"
        case .clientCertificateRefused: "the server refused the client's certificate"
        case .versionNotSupported: "client and server have no version of TLS in common"
        case .unsupportedProtocol(let name):
            "the server chose the protocol \(ForeignText.shown(name)), which this client does not speak"
        case .noCommonAlgorithm: "client and server have no cipher, curve or kind of key in common"
        case .invalidCertificate(let reason):
            "the server's certificates cannot be judged: \(ForeignText.shown(reason))"
        case .plainHTTP: "the server answers in plain HTTP; use http:// or the port of its HTTPS"
        case .notTLS: "the server does not answer in TLS; check the port"
        case .handshake(let reason): "the handshake failed: \(ForeignText.shown(reason))"
        case .closed: "the server closed the connection during the handshake"
        case .wrongPassphrase: "the passphrase of the client's certificate is wrong or missing"
        case .configuration(let reason): "the settings cannot be used: \(ForeignText.shown(reason))"
        }
    }
}
