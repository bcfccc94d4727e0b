// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import NIOSSL
import TernCLibrary
import TernConnections
import TernErrors

/// The certificates that were shown before TLS failed, which decide what an alert of the server is about.
struct ShownCertificates: Hashable, Sendable {
    /// Whether the server has shown its certificate; before that, it knows nothing of the client's.
    var server = false
    /// Whether the client has shown one, or would do so if asked.
    var client = false
}

extension ConnectionError {
    /// Creates an error from one that NIO reported on an open channel.
    init(_ error: any Error, _ shown: ShownCertificates = ShownCertificates()) {
        switch error {
        case let error as ConnectionError: self = error
        case let error as IOError: self = Self.failure(errno: error.errnoCode)
        case NIOSSLError.uncleanShutdown: self = .uncleanClose
        case let error as NIOSSLError: self = .tls(TLSFailure(error, shown))
        case let error as NIOSSLExtraError: self = .tls(TLSFailure(error))
        case let error as BoringSSLError:
            // The library reports these errors as they are only after the handshake.
            let failure = TLSFailure(library: TLSFailure.text(of: error), shown)
            self = failure == .closed ? .closed : .tls(failure)
        default: self = .closed
        }
    }

    init(connecting error: any Error, deadline: CallDeadline?) {
        switch error {
        case let error as NIOConnectionError:
            self = Self(connecting: error)
        case let error as IOError:
            self = .notConnected(ConnectionFailure(errno: error.errnoCode))
        case ChannelError.connectTimeout:
            self = deadline.map { .timedOut($0) } ?? .notConnected(.unreachable)
        default:
            let failure = ConnectionError(error)
            self = failure == .closed ? .notConnected(.interrupted) : failure
        }
    }

    private init(connecting error: NIOConnectionError) {
        let failures = error.connectionErrors.map { attempt in
            (attempt.error as? IOError).map { ConnectionFailure(errno: $0.errnoCode) } ?? .interrupted
        }
        self = .notConnected(ConnectionFailure.mostInformative(of: failures))
    }

    private static func failure(errno: CInt) -> ConnectionError {
        switch errno {
        case ECONNRESET, EPIPE: .reset
        default: .system(errno: errno)
        }
    }
}

extension ConnectionError {
    init(handshaking error: any Error, _ shown: ShownCertificates = ShownCertificates()) {
        switch ConnectionError(error, shown) {
        case .closed, .uncleanClose, .reset: self = .tls(.closed)
        case let other: self = other
        }
    }
}

extension TLSFailure {
    init(_ error: NIOSSLError, _ shown: ShownCertificates) {
        switch error {
        case .handshakeFailed(.sslError(let reasons)) where reasons.contains(.eofDuringHandshake): self = .closed
        // The server ended its side during the handshake: with `close_notify`, or without.
        case .handshakeFailed(.zeroReturn), .handshakeFailed(.syscallError): self = .closed
        case .handshakeFailed(let reason): self.init(library: Self.text(of: reason), shown)
        case .unableToValidateCertificate, .noCertificateToValidate: self = .rejected
        case .failedToLoadCertificate, .noSuchFilesystemObject, .failedToLoadPrivateKey:
            self = .configuration("the TLS library reports \(error)")
        default: self.init(library: Self.text(of: error), shown)
        }
    }

    /// Creates a failure from the text of an error for which the TLS library has no code.
    init(library text: String, _ shown: ShownCertificates) {
        // A server that requires a certificate sends this alert (RFC 8446 §6.2), after the client's handshake is over.
        if text.contains("CERTIFICATE_REQUIRED") {
            self = .clientCertificateRequired
        } else if shown.server, Self.refusals.contains(where: text.contains) {
            self = shown.client ? .clientCertificateRefused : .clientCertificateRequired
        } else if Self.versionMismatches.contains(where: text.contains) {
            self = .versionNotSupported
        } else if Self.algorithmMismatches.contains(where: text.contains) {
            self = .noCommonAlgorithm
        } else if text.contains("ALERT_NO_APPLICATION_PROTOCOL") {  // RFC 7301 §3.2
            self = .noCommonProtocol
        } else if text.contains("CERTIFICATE_VERIFY_FAILED") {
            self = .rejected
        } else if text.contains("ALERT_CLOSE_NOTIFY") {
            self = .closed  // as an error, which only a fatal alert is: "the severity is implicit" (RFC 8446 §6)
        } else if text.contains("ALERT_HANDSHAKE_FAILURE") {
            self = Self.meaning(ofHandshakeFailure: text, shown)
        } else {
            self = .handshake(text)
        }
    }

    /// Returns what the alert `handshake_failure` seems to mean, which gives no reason (RFC 8446 §6.2).
    private static func meaning(ofHandshakeFailure text: String, _ shown: ShownCertificates) -> TLSFailure {
        // Before the server shows its certificate, the alert means "unable to negotiate an acceptable set of security
        // parameters given the options available" (RFC 8446 §6.2), which include the kind of the certificate's key.
        guard shown.server else { return .noCommonAlgorithm }
        // "If the client does not send any certificates, the server MAY at its discretion either continue the handshake without
        // client authentication, or respond with a fatal handshake_failure alert" (RFC 5246 §7.4.6). Version and cipher are
        // agreed before the server shows its certificate, so a later alert is about the client's.
        return shown.client ? .handshake(text) : .clientCertificateRequired
    }

    /// The alerts about the client's certificate.
    private static let refusals = [
        "ALERT_BAD_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_CERTIFICATE_REVOKED",
        "ALERT_CERTIFICATE_EXPIRED", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_UNKNOWN_CA", "ALERT_ACCESS_DENIED",
    ]
    private static let versionMismatches = [
        "ALERT_PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL", "UNSUPPORTED_SSL_VERSION", "WRONG_SSL_VERSION",
    ]

    /// The reasons for which the library ends a handshake: parameters that the client did not offer, or an unknown kind of key.
    private static let algorithmMismatches = [
        "NO_COMMON_SIGNATURE_ALGORITHMS", "WRONG_SIGNATURE_TYPE", "BAD_ECC_CERT", "UNKNOWN_CERTIFICATE_TYPE",
        "WRONG_CERTIFICATE_TYPE", "UNSUPPORTED_ELLIPTIC_CURVE", "WRONG_CURVE", "WRONG_CIPHER_RETURNED",
        "UNKNOWN_CIPHER_RETURNED", "UNSUPPORTED_ALGORITHM",
    ]

    /// Returns the reasons in a text such as `error:1000010b:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at
    /// /…/tls_record.cc:242`, or the whole text.
    static func text(of error: any Error) -> String {
        let text = String(describing: error)
        var reasons: [String] = []
        for part in text.split(separator: "OPENSSL_internal:").dropFirst() {
            let place = part.firstRange(of: " at ")
            let reason = place.map { part[..<$0.lowerBound] } ?? part.prefix { !")],".contains($0) }
            if !reason.isEmpty, !reasons.contains(String(reason)) { reasons.append(String(reason)) }
        }
        return reasons.isEmpty ? text : reasons.joined(separator: ", ")
    }

    init(_ error: NIOSSLExtraError) {
        self = error == .failedToValidateHostname ? .wrongHost() : .handshake(Self.text(of: error))
    }
}
