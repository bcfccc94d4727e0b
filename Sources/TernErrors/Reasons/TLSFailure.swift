// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that TLS failed; if ``isTrust`` is `true`, connecting again usually does not help.
@nonexhaustive
public enum TLSFailure: Error, Hashable, Sendable {
    /// By this device's clock, a certificate of the chain expired or, with `URLSession`, may not be valid yet; `nil` if unknown.
    case certificateExpired(notAfter: Date? = nil)
    /// A certificate of the chain is not valid yet, or the clock is wrong; the date is `nil` if it is not known.
    case certificateNotYetValid(notBefore: Date? = nil)
    /// The certificate is not for this host (RFC 9525 §2); `names` has at most 100 of its own hosts, or none if they are not known.
    case wrongHost(names: [String] = [])
    /// The client found no chain from the certificate to a trusted one.
    ///
    /// In most cases, it does not trust the authority `issuer` (empty with `URLSession`), or the server omits a certificate.
    case unknownRoot(issuer: String)
    /// The server's certificate is self-signed and not trusted: add it to the trusted certificates, or replace it.
    case selfSigned
    /// The certificate, or an authority above it, is not valid for servers (RFC 5280 §4.2.1.12).
    case wrongUsage
    /// A constraint in the chain is violated, or cannot be checked: for example, an issuer may not sign (RFC 5280 §4.2.1.9).
    case constraintViolated
    /// The chain passed all other checks, but lacks a pinned key: perhaps the pins are out of date, or this is an attack.
    case pinMismatch
    /// A delegate refused the certificate, or cancelled the challenge for a client certificate.
    case rejected
    /// The server seems to have refused the client because it presented no certificate: configure an identity.
    case clientCertificateRequired
    /// The server refused the client's certificate, such as an expired one; with `URLSession`, perhaps the lack of one.
    case clientCertificateRefused
    /// Client and server seem to have no version of TLS in common: one side's versions are too old.
    case versionNotSupported
    /// The server chose a protocol that the client did not offer (RFC 7301); the text names it.
    case unsupportedProtocol(String)
    /// The server uses none of the offered protocols, or not HTTP/2 although the call needs it, as with
    /// `HTTPVersionPolicy.http2PriorKnowledge` (RFC 7301 §3.2, RFC 9113 §3.3).
    case noCommonProtocol
    /// Client and server seem to have no cipher suite, curve or signature algorithm in common.
    ///
    /// The key of the server may be RSA (but not for PSS alone), P-256, P-384, P-521 or Ed25519.
    case noCommonAlgorithm
    /// The certificates are not acceptable for another reason, such as a SHA-1 signature or a malformed field; the text says why.
    case invalidCertificate(String)
    /// The server seems to answer in plain HTTP: use `http` in the URL, or the port on which the server uses HTTPS.
    case plainHTTP
    /// The server answered with neither TLS nor HTTP, or did not wait for the client: the port may be that of another service.
    case notTLS
    /// TLS failed for another reason; the text, usually from the TLS library, names it.
    case handshake(String)
    /// The server or the network closed the connection during the handshake.
    case closed
    /// The passphrase of the client's certificate or key is wrong or missing, or the encrypted key cannot be read.
    case wrongPassphrase
    /// The settings of the client or of the system cannot be used: for example, a root certificate is malformed. The text says why.
    case configuration(String)
}

extension TLSFailure {
    /// Whether the client did not accept the server's certificates, or a delegate refused (``rejected``).
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
    package var wording: String { self.wording(of: "server") }

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
