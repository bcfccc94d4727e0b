// SPDX-License-Identifier: Apache-2.0
import Tern
import TestSupport
import Testing

/// Each row of the matrix over a real handshake; the rules one by one are in `TernTrustTests`.
@Suite("Trust: certificates", .timeLimit(.minutes(1)))
struct TrustRowTests {
    private static let root = "CN=Tern test root"

    @Test(
        arguments: [
            (.valid, "localhost", nil),
            (.valid, "127.0.0.1", nil),
            (.rsa, "localhost", nil),
            (.addressOnly, "127.0.0.1", nil),
            (.addressOnly, "localhost", .wrongHost),
            (.expired, "localhost", .certificateExpired),
            (.expiredAbove, "localhost", .certificateExpired),
            (.notYetValid, "localhost", .certificateNotYetValid),
            (.wrongHost, "localhost", .wrongHost),
            (.wrongHost, "127.0.0.1", .wrongHost),
            (.wrongHostAndExpired, "localhost", .wrongHost),
            (.selfSigned, "localhost", .selfSigned),
            (.unknownRoot, "localhost", .unknownRoot(issuer: "CN=Tern test other")),
            (.incompleteChain, "localhost", .unknownRoot(issuer: "CN=Tern test intermediate")),
            (.wrongUsage, "localhost", .wrongUsage),
            (.wrongUsageAbove, "localhost", .wrongUsage),
            (.noAlternativeName, "localhost", .wrongHost),
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
        let error = await error { () async throws(ClientError) in
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
            ("one.tern.test", nil), ("ONE.Tern.Test", nil), ("one.two.tern.test", .wrongHost),
            ("tern.test", .wrongHost),
            ("tern.com", .wrongHost), ("abc.part.tern.test", .wrongHost),
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

    @Test func `a withdrawn algorithm is refused`() async throws {
        let server = try await OpenSSLServer.launch(.withdrawnDigest, ["-cipher", "ALL:@SECLEVEL=0"])
        let client = try await TrustServer.shared.makeClient()
        let error = await error { () async throws(ClientError) in try await client.data(for: server.get()) }
        guard case .tlsFailed(.invalidCertificate(let reason), _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("SHA-1"))
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
        #expect(fault == .tlsFailed(.wrongHost))
    }
}
