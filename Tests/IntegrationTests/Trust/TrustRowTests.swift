// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests each row of the certificate matrix with a real handshake.
///
/// `TernTrustTests` tests the rules one by one.
@Suite("Trust: certificates", .hangLimit)
struct TrustRowTests {
    private static let root = "CN=Tern test root"

    @Test(
        arguments: [
            (.valid, "localhost", nil),
            (.valid, "127.0.0.1", nil),
            (.rsa, "localhost", nil),
            (.addressOnly, "127.0.0.1", nil),
            (.addressOnly, "localhost", .wrongHost()),
            (.expired, "localhost", .certificateExpired()),
            (.expiredAbove, "localhost", .certificateExpired()),
            (.notYetValid, "localhost", .certificateNotYetValid()),
            (.wrongHost, "localhost", .wrongHost()),
            (.wrongHost, "127.0.0.1", .wrongHost()),
            (.wrongHostAndExpired, "localhost", .wrongHost()),
            (.selfSigned, "localhost", .selfSigned),
            (.unknownRoot, "localhost", .unknownRoot(issuer: "CN=Tern test other")),
            (.incompleteChain, "localhost", .unknownRoot(issuer: "CN=Tern test intermediate")),
            (.wrongUsage, "localhost", .wrongUsage),
            (.wrongUsageAbove, "localhost", .wrongUsage),
            (.noAlternativeName, "localhost", .wrongHost()),
            (.nameConstraints, "localhost", .constraintViolated),
            (.notAnAuthority, "localhost", .constraintViolated),
            (.versionOneAbove, "localhost", .constraintViolated),
            (.noCertificateSigning, "localhost", .constraintViolated),
            (.pathTooLong, "localhost", .constraintViolated),
            (.unknownExtension, "localhost", .constraintViolated),
            (.unknownExtensionAbove, "localhost", .constraintViolated),
        ] as [(CertificateMatrix.Row, String, TLSFailure?)]
    )
    func `a server is trusted, or not for an exact reason`(
        _ row: CertificateMatrix.Row,
        _ host: String,
        _ expected: TLSFailure?
    ) async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: Request(.get, server.url(.row(row), host: host)))
        }
        #expect(error?.fault == expected.map { .tlsFailed($0) })
        guard let error else { return }
        #expect(error.context.phase == .tls)
        #expect(error.context.origin == "https://\(host):\(server.port(.row(row)))")
        #expect(!error.isRetryable)
    }

    @Test(
        arguments: [
            ("one.tern.test", nil), ("ONE.Tern.Test", nil), ("one.two.tern.test", .wrongHost()),
            ("tern.test", .wrongHost()),
            ("tern.com", .wrongHost()), ("abc.part.tern.test", .wrongHost()),
        ] as [(String, TLSFailure?)]
    )
    func `a wildcard stands for one label`(_ host: String, _ expected: TLSFailure?) async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(.row(.wildcard), as: host))
        }
        #expect(fault == expected.map { .tlsFailed($0) })
    }

    /// RFC 6066 §3: the server name has no trailing dot, and is never an address.
    @Test(
        arguments: [
            (.row(.valid), "localhost", "localhost"), (.row(.valid), "LOCALHOST", "localhost"),
            (.row(.valid), "localhost.", "localhost"), (.row(.valid), "127.0.0.1", ""), (.row(.valid), "[::1]", ""),
            (.row(.wildcard), "xn--bcher-kva.tern.test", "xn--bcher-kva.tern.test"),
            (.row(.wildcard), "one.tern.test.", "one.tern.test"),
        ] as [(TrustServer.Entry, String, String)]
    )
    func `the server is asked for by name`(_ entry: TrustServer.Entry, _ host: String, _ sent: String) async throws {
        let server = try await TrustServer.shared
        let (data, response) = try await server.makeClient().data(for: server.get(entry, as: host))
        #expect(TrustServer.Report(data).serverName == sent)
        #expect(response.isSuccess)
    }

    @Test func `more certificates than anybody needs are not read`() async throws {
        let matrix = try CertificateMatrix.shared
        let folder = try TemporaryFolder()
        let intermediate = try String(contentsOfFile: matrix.file("intermediate.pem"), encoding: .utf8)
        let above = try folder.write(String(repeating: intermediate, count: 16), to: "above.pem")
        let server = try await OpenSSLServer.launch(.valid, ["-cert_chain", above])
        let client = try await TrustServer.shared.makeClient()
        let delegate = TrustDelegate()
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(), delegate: delegate)
        }
        #expect(delegate.trusts.first?.chain.count == 17)
        guard case .tlsFailed(.invalidCertificate)? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }

    @Test func `a withdrawn algorithm is refused`() async throws {
        let server = try await OpenSSLServer.launch(.withdrawnDigest, ["-cipher", "ALL:@SECLEVEL=0"])
        let client = try await TrustServer.shared.makeClient()
        let error = await failure { () async throws(ClientError) in try await client.data(for: server.get()) }
        guard case .tlsFailed(.invalidCertificate(let reason), _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("SHA-1"))
    }

    /// RFC 9155 §2: "Clients MUST NOT include MD5 and SHA-1 in this extension".
    @Test(arguments: [("RSA+SHA1", .noCommonAlgorithm), ("RSA+SHA256", nil)] as [(String, TLSFailure?)])
    func `a server that can sign the handshake with SHA-1 alone is refused`(
        _ algorithm: String,
        _ expected: TLSFailure?
    ) async throws {
        // With other cipher suites, an RSA key needs no signature in the handshake.
        let options = ["-tls1_2", "-sigalgs", algorithm, "-cipher", "ECDHE:@SECLEVEL=0"]
        let server = try await OpenSSLServer.launch(.rsa, options)
        let client = try await TrustServer.shared.makeClient()
        let fault = await fault { () async throws(ClientError) in try await client.data(for: server.get()) }
        #expect(fault == expected.map { .tlsFailed($0) })
    }

    @Test func `without verification any certificate will do`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient { $0.tls.trust = .unverified }
        for row in [CertificateMatrix.Row.selfSigned, .expired, .wrongHost, .wrongUsage, .pathTooLong] {
            let (_, response) = try await client.data(for: server.get(.row(row)))
            #expect(response.tls?.trust.isTrusted == true)
            #expect(response.tls?.trust.verifiedChain == [])
            #expect(response.tls?.trust.chain == (try server.matrix.chain(row)))
        }
    }

    @Test func `a self-signed certificate is trusted by name`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient {
            $0.tls.trust = .only([.pemFile(path: server.matrix.chainFile(.selfSigned))])
        }
        _ = try await client.data(for: server.get(.row(.selfSigned)))
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(.row(.selfSigned), as: "elsewhere.example"))
        }
        #expect(fault == .tlsFailed(.wrongHost()))
    }
}
