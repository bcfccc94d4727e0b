// SPDX-License-Identifier: Apache-2.0
import NIOSSL
import Tern
import TernConnections
import Testing

@testable import TernNIO

/// Tests which failures the texts of the TLS library become.
@Suite("Trust: texts of the TLS library")
struct TLSFailureTests {
    /// An error with a given text.
    private struct LibraryError: Error, CustomStringConvertible {
        var description: String
    }

    static let meanings: [(text: String, failure: TLSFailure)] = [
        ("NO_COMMON_SIGNATURE_ALGORITHMS", .noCommonAlgorithm), ("WRONG_SIGNATURE_TYPE", .noCommonAlgorithm),
        ("BAD_ECC_CERT", .noCommonAlgorithm), ("UNKNOWN_CERTIFICATE_TYPE", .noCommonAlgorithm),
        ("WRONG_CERTIFICATE_TYPE", .noCommonAlgorithm), ("UNSUPPORTED_ELLIPTIC_CURVE", .noCommonAlgorithm),
        ("WRONG_CURVE", .noCommonAlgorithm), ("WRONG_CIPHER_RETURNED", .noCommonAlgorithm),
        ("UNKNOWN_CIPHER_RETURNED", .noCommonAlgorithm), ("UNSUPPORTED_ALGORITHM", .noCommonAlgorithm),
        ("TLSV1_ALERT_PROTOCOL_VERSION", .versionNotSupported), ("UNSUPPORTED_PROTOCOL", .versionNotSupported),
        ("TLSV1_ALERT_CERTIFICATE_REQUIRED", .clientCertificateRequired),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", .clientCertificateRefused), ("CERTIFICATE_VERIFY_FAILED", .rejected),
        ("TLSV1_ALERT_NO_APPLICATION_PROTOCOL", .noCommonProtocol),
        ("WRONG_VERSION_NUMBER", .handshake("WRONG_VERSION_NUMBER")),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", .handshake("SSLV3_ALERT_HANDSHAKE_FAILURE")),
        ("SSLV3_ALERT_CLOSE_NOTIFY", .closed),
    ]

    @Test(arguments: meanings)
    func `a reason of the library has one meaning`(text: String, failure: TLSFailure) {
        #expect(TLSFailure(library: text, ShownCertificates(server: true, client: true)) == failure)
    }

    @Test(arguments: ["SSLV3_ALERT_BAD_CERTIFICATE", "TLSV1_ALERT_UNKNOWN_CA", "TLSV1_ALERT_ACCESS_DENIED"])
    func `an alert about a certificate is about one that was shown`(text: String) {
        // Before the server shows its certificate, it cannot know the client's.
        #expect(TLSFailure(library: text, ShownCertificates()) == .handshake(text))
        #expect(TLSFailure(library: text, ShownCertificates(client: true)) == .handshake(text))
        #expect(TLSFailure(library: text, ShownCertificates(server: true)) == .clientCertificateRequired)
        let both = ShownCertificates(server: true, client: true)
        #expect(TLSFailure(library: text, both) == .clientCertificateRefused)
    }

    @Test func `an alert without a reason depends on what was shown`() {
        let text = "SSLV3_ALERT_HANDSHAKE_FAILURE"
        #expect(TLSFailure(library: text, ShownCertificates()) == .noCommonAlgorithm)
        #expect(TLSFailure(library: text, ShownCertificates(client: true)) == .noCommonAlgorithm)
        #expect(TLSFailure(library: text, ShownCertificates(server: true)) == .clientCertificateRequired)
    }

    static let ends: [any Error] = [
        NIOSSLError.handshakeFailed(.zeroReturn), NIOSSLError.handshakeFailed(.syscallError),
        NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), NIOSSLError.uncleanShutdown,
        ConnectionError.reset, ConnectionError.closed,
    ]

    @Test(arguments: ends.indices)
    func `an end during the handshake is no failure of TLS`(index: Int) {
        #expect(ConnectionError(handshaking: Self.ends[index]) == .tls(.closed))
    }

    static let texts: [(text: String, reasons: String)] = [
        (
            "error:1000010b:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at /x/tls_record.cc:242",
            "WRONG_VERSION_NUMBER"
        ),
        (
            "sslError([Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at "
                + "/a/b at c/tls_record.cc:242, Error: 268435612 error:1000009c:SSL routines:OPENSSL_internal:"
                + "HTTP_REQUEST at /x/tls_record.cc:7])",
            "WRONG_VERSION_NUMBER, HTTP_REQUEST"
        ),
        (
            "handshakeFailed(sslError([error:1:SSL routines:OPENSSL_internal:BAD_DECRYPT, "
                + "error:1:SSL routines:OPENSSL_internal:BAD_DECRYPT]))",
            "BAD_DECRYPT"
        ),
        ("uncleanShutdown at last", "uncleanShutdown at last"), ("", ""),
    ]

    @Test(arguments: texts)
    func `of a text the names of its reasons are kept`(text: String, reasons: String) {
        #expect(TLSFailure.text(of: LibraryError(description: text)) == reasons)
    }
}
