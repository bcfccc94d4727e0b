// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernAuthentication
import TernTrust
import TestSupport
import Testing

/// Compares the evaluations of Tern and openssl for the same certificates.
@Suite("OpenSSL", .hangLimit)
struct OpenSSLTests {
    /// Rows that openssl trusts and Tern does not.
    ///
    /// If a certificate has no alternative name for a host, openssl uses the common name. openssl also supports more
    /// kinds of keys.
    static let exceptions: Set<CertificateMatrix.Row> = [.noAlternativeName, .addressOnly, .ed448]

    private func isTrustedByOpenSSL(
        _ row: CertificateMatrix.Row,
        root: String,
        in matrix: CertificateMatrix
    ) throws -> Bool {
        let arguments = [
            "verify", "-attime", "\(Int(TrustEvaluatorTests.time.timeIntervalSince1970))", "-purpose", "sslserver",
            "-verify_hostname", "localhost", "-CAfile", root, "-no-CApath", "-no-CAstore", "-untrusted",
            matrix.chainFile(row), matrix.chainFile(row),
        ]
        do {
            try PeerProcess.run("openssl", arguments, in: matrix.folder)
            return true
        } catch let error as PeerProcess.Failure {
            #expect(error.description.contains("verification failed"))
            return false
        }
    }

    @Test(arguments: CertificateMatrix.Row.allCases)
    func `openssl trusts the same certificates`(_ row: CertificateMatrix.Row) async throws {
        let matrix = try CertificateMatrix.shared
        let root = row == .rsa ? matrix.rsaRootFile : matrix.rootFile
        let evaluator = try TrustEvaluator(.only([.pemFile(path: root)]))
        let chain = try matrix.chain(row)
        let trust = await evaluator.evaluate(chain: chain, host: "localhost", at: TrustEvaluatorTests.time)
        let isTrusted = try self.isTrustedByOpenSSL(row, root: root, in: matrix)
        #expect(trust.isTrusted == (isTrusted && !Self.exceptions.contains(row)))
        #expect(isTrusted || !Self.exceptions.contains(row))
    }

    /// The openssl commands that check the files of clients and servers.
    static let commands = [
        "verify -purpose sslclient -CAfile root.pem client.pem",
        "verify -purpose sslclient -CAfile other.pem client-stranger.pem",
        "pkey -in client.key -noout -passin pass:unused",
        "pkey -in client.encrypted.key -noout -passin pass:\(CertificateMatrix.passphrase)",
        "pkcs12 -in client.p12 -noout -passin pass:\(CertificateMatrix.passphrase)",
        "x509 -in valid.chain.pem -noout -checkhost localhost -checkip ::1", "pkey -in server.key -noout",
        "pkey -in rsa.key -noout",
    ]

    @Test(arguments: commands)
    func `the files of the matrix are good`(_ command: String) throws {
        let arguments = command.split(separator: " ").map(String.init)
        #expect(throws: Never.self) {
            try PeerProcess.run("openssl", arguments, in: CertificateMatrix.shared.folder)
        }
    }

    static let failing = [
        "verify -purpose sslclient -CAfile root.pem client-stranger.pem",
        "pkey -in client.encrypted.key -noout -passin pass:wrong", "pkcs12 -in client.p12 -noout -passin pass:wrong",
    ]

    @Test(arguments: failing)
    func `the files of the matrix are bad where they are meant to be`(_ command: String) throws {
        let arguments = command.split(separator: " ").map(String.init)
        #expect(throws: PeerProcess.Failure.self) {
            try PeerProcess.run("openssl", arguments, in: CertificateMatrix.shared.folder)
        }
    }
}
