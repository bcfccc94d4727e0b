// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests a client that presents a certificate, with a server that reports the certificate's subject.
@Suite("Trust: client certificates", .hangLimit)
struct ClientIdentityTests {
    /// The forms in which an app can provide a certificate and its key.
    enum Form: CaseIterable {
        case files, encryptedFiles, texts, encryptedTexts, pkcs12, pkcs12File

        func identity(
            _ matrix: CertificateMatrix,
            passphrase: String = CertificateMatrix.passphrase
        ) throws -> ClientIdentity {
            let certificate = matrix.file("client.pem")
            let (key, encryptedKey) = (matrix.file("client.key"), matrix.file("client.encrypted.key"))
            let text = { (path: String) in try String(contentsOfFile: path, encoding: .utf8) }
            return switch self {
            case .files: .pemFiles(certificates: certificate, privateKey: key)
            case .encryptedFiles:
                .pemFiles(certificates: certificate, privateKey: encryptedKey, passphrase: passphrase)
            case .texts: .pem(certificates: try text(certificate), privateKey: try text(key))
            case .encryptedTexts:
                .pem(
                    certificates: try text(certificate),
                    privateKey: try text(encryptedKey),
                    passphrase: passphrase
                )
            case .pkcs12:
                .pkcs12([UInt8](try Data(contentsOf: URL(filePath: matrix.file("client.p12")))), passphrase: passphrase)
            case .pkcs12File: .pkcs12File(matrix.file("client.p12"), passphrase: passphrase)
            }
        }

        var isEncrypted: Bool { self != .files && self != .texts }
    }

    /// The place that provides the certificate.
    enum Source: CaseIterable { case configuration, clientDelegate, taskDelegate }

    private static let subject = "CN=Tern test client"

    private func report(
        _ server: TrustServer,
        _ entry: TrustServer.Entry,
        _ identity: ClientIdentity,
        from source: Source
    ) async throws(ClientError) -> TrustServer.Report {
        let delegate = TrustDelegate.showing(identity)
        let client = server.makeClient(delegate: source == .clientDelegate ? delegate : nil) {
            if source == .configuration { $0.tls.identity = identity }
        }
        let own = source == .taskDelegate ? delegate : nil
        return TrustServer.Report(try await client.data(for: server.get(entry), delegate: own).0)
    }

    @Test(arguments: Form.allCases, Source.allCases)
    func `the server sees the certificate`(_ form: Form, _ source: Source) async throws {
        let server = try await TrustServer.shared
        let identity = try form.identity(server.matrix)
        for entry in [TrustServer.Entry.mutual, .mutual12, .optional] {
            let report = try await self.report(server, entry, identity, from: source)
            #expect(report.client == Self.subject)
            #expect(report.verification == "SUCCESS")
        }
    }

    @Test func `a delegate is told who asks`() async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate.showing(try Form.files.identity(server.matrix))
        _ = try await server.makeClient().data(for: server.get(.mutual), delegate: delegate)
        let challenge = try #require(delegate.challenges.last)
        guard case .clientCertificate(let request) = challenge.kind else {
            Issue.record("\(challenge.kind)")
            return
        }
        #expect(request == ClientCertificateRequest(host: "localhost", port: server.port(.mutual)))
        #expect(challenge.protectionSpace.scheme == .clientCertificate)
        // Trust comes first: a client must not identify itself to a server that it does not trust.
        #expect((delegate.trusts.count, delegate.identified.count) == (1, 1))
    }

    @Test func `nobody who is not trusted gets to see the certificate`() async throws {
        let server = try await OpenSSLServer.launch(.selfSigned, ["-Verify", "1"])
        let delegate = TrustDelegate.showing(try Form.files.identity(CertificateMatrix.shared))
        let client = try await TrustServer.shared.makeClient()
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(), delegate: delegate)
        }
        #expect(fault == .tlsFailed(.selfSigned))
        #expect(!delegate.identified.isRaised)
    }

    @Test func `a server that does not ask sees nothing`() async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate.showing(try Form.files.identity(server.matrix))
        let (data, _) = try await server.makeClient().data(for: server.get(.row(.valid)), delegate: delegate)
        #expect(TrustServer.Report(data).client.isEmpty)
        #expect(!delegate.identified.isRaised)
    }

    @Test(arguments: Form.allCases.filter(\.isEncrypted), Source.allCases)
    func `a wrong passphrase is reported, and not repeated`(_ form: Form, _ source: Source) async throws {
        let server = try await TrustServer.shared
        let identity = try form.identity(server.matrix, passphrase: "wrong-secret")
        let error = await failure { () async throws(ClientError) in
            try await self.report(server, .mutual, identity, from: source)
        }
        #expect(error?.fault == .tlsFailed(.wrongPassphrase))
        #expect(error?.context.phase == .tls)
        for text in ["\(String(describing: error))", String(reflecting: error)] {
            #expect(!text.contains("wrong-secret"))
            #expect(!text.contains("PRIVATE KEY"))
        }
    }

    @Test(arguments: Source.allCases)
    func `files that are not there are reported`(_ source: Source) async throws {
        let server = try await TrustServer.shared
        let identity = ClientIdentity.pemFiles(certificates: "/nowhere.pem", privateKey: "/nowhere.key")
        let fault = await fault { () async throws(ClientError) in
            try await self.report(server, .mutual, identity, from: source)
        }
        #expect(fault == .tlsMisconfigured)
    }

    @Test(arguments: Source.allCases)
    func `a key of another certificate is reported`(_ source: Source) async throws {
        let server = try await TrustServer.shared
        let identity = ClientIdentity.pemFiles(
            certificates: server.matrix.file("client.pem"),
            privateKey: server.matrix.file("server.key")
        )
        for entry in [TrustServer.Entry.mutual, .mutual12] {
            let fault = await fault { () async throws(ClientError) in
                try await self.report(server, entry, identity, from: source)
            }
            #expect(fault == .tlsMisconfigured)
        }
    }
}
