// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests servers that refuse a client without a certificate, or with a wrong certificate.
@Suite("Trust: client certificates refused", .hangLimit)
struct ClientIdentityRefusalTests {
    enum Version: String, CaseIterable {
        case tls12 = "-tls1_2"
        case tls13 = "-tls1_3"
    }

    /// The delegates that could provide a certificate.
    enum Asked: CaseIterable {
        case nobody
        /// The delegate answers `nil`.
        case indifferent
        /// The delegate asks for default handling.
        case passing
        /// The delegate answers with a credential of another kind.
        case mistaken
        case client

        var delegate: TrustDelegate? {
            switch self {
            case .nobody: nil
            case .indifferent, .client: TrustDelegate()
            case .passing: TrustDelegate(identify: { _ in .performDefaultHandling })
            case .mistaken:
                TrustDelegate(identify: { _ in .useCredential(Credential(user: "albert", password: "einstein")) })
            }
        }
    }

    private static func strict(_ version: Version) async throws -> OpenSSLServer {
        let root = try CertificateMatrix.shared.rootFile
        return try await OpenSSLServer.launch(
            .valid,
            [version.rawValue, "-Verify", "1", "-verify_return_error", "-CAfile", root]
        )
    }

    @Test(arguments: Version.allCases, Asked.allCases)
    func `a client without a certificate is refused`(_ version: Version, _ asked: Asked) async throws {
        let server = try await Self.strict(version)
        let delegate = asked.delegate
        let client = try await TrustServer.shared.makeClient(delegate: asked == .client ? delegate : nil)
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: server.get(), delegate: asked == .client ? nil : delegate)
        }
        #expect(error?.fault == .tlsFailed(.clientCertificateRequired))
        #expect(delegate?.identified.count ?? 1 == 1)
        #expect(error?.isRetryable == false)
    }

    /// With TLS 1.3, the server's refusal arrives after the client has begun to send.
    @Test(arguments: Version.allCases, 0..<5)
    func `a client that has much to say is refused`(_ version: Version, _ number: Int) async throws {
        let server = try await Self.strict(version)
        let client = try await TrustServer.shared.makeClient()
        var request = Request(.post, server.get().url.absoluteString).body(.data(Data(count: 20_000_000)))
        request.options.expectsContinue = false
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .tlsFailed(.clientCertificateRequired))
    }

    @Test(arguments: Version.allCases, [false, true])
    func `a certificate of an authority that the server does not know is refused`(
        _ version: Version,
        isAsked: Bool
    ) async throws {
        let server = try await Self.strict(version)
        let matrix = try CertificateMatrix.shared
        let stranger = ClientIdentity.pemFiles(
            certificates: matrix.file("client-stranger.pem"),
            privateKey: matrix.file("client.key")
        )
        let client = try await TrustServer.shared.makeClient { if !isAsked { $0.tls.identity = stranger } }
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: server.get(), delegate: isAsked ? TrustDelegate.showing(stranger) : nil)
        }
        #expect(error?.fault == .tlsFailed(.clientCertificateRefused))
        #expect(error?.isRetryable == false)
    }

    @Test(arguments: Version.allCases)
    func `the right certificate is accepted by the same server`(_ version: Version) async throws {
        let server = try await Self.strict(version)
        let matrix = try CertificateMatrix.shared
        let identity = ClientIdentity.pemFiles(
            certificates: matrix.file("client.pem"),
            privateKey: matrix.file("client.key")
        )
        let client = try await TrustServer.shared.makeClient { $0.tls.identity = identity }
        #expect(try await client.data(for: server.get()).0.count == 5)
    }

    @Test func `a server that answers 400 instead is no failure of TLS`() async throws {
        let server = try await TrustServer.shared
        for entry in [TrustServer.Entry.mutual, .mutual12] {
            let (_, response) = try await server.makeClient().data(for: server.get(entry))
            #expect(response.status == .badRequest)
        }
    }

    @Test(arguments: Version.allCases)
    func `a delegate ends the call rather than show a certificate`(_ version: Version) async throws {
        let server = try await Self.strict(version)
        let delegate = TrustDelegate(identify: { _ in .cancel })
        let client = try await TrustServer.shared.makeClient()
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(), delegate: delegate)
        }
        #expect(fault == .tlsFailed(.rejected))
    }
}
