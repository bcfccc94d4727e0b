// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests the information that a delegate gets about a server, and the effect of the delegate's answer.
@Suite("Trust: decisions", .hangLimit)
struct TrustDecisionTests {
    @Test func `a delegate sees the chain, the host and the evaluation`() async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate()
        let client = server.makeClient()
        _ = try await client.data(for: server.get(.row(.valid)), delegate: delegate)
        let challenge = try #require(delegate.challenges.first)
        let port = server.port(.row(.valid))
        #expect(challenge.protectionSpace.origin == Origin(scheme: .https, host: "localhost", port: port))
        #expect(challenge.protectionSpace.scheme == .serverTrust)
        #expect(challenge.response == nil)
        let trust = try #require(delegate.trusts.first)
        #expect(trust.host == "localhost")
        #expect(trust.isTrusted)
        #expect(trust.chain == (try server.matrix.chain(.valid)))
        #expect(trust.verifiedChain == trust.chain + (try server.matrix.certificates(in: "root.pem")))
        #expect(trust.leafPin == (try KeyPin(base64: server.matrix.digest(of: "valid"))))
        #expect(try trust.certificates().count == 2)
    }

    @Test(arguments: [CertificateMatrix.Row.selfSigned, .unknownRoot, .expired, .wrongHost, .incompleteChain])
    func `a call's delegate approves of a server that is not trusted`(_ row: CertificateMatrix.Row) async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate.approving
        let (_, response) = try await server.makeClient().data(for: server.get(.row(row)), delegate: delegate)
        #expect(response.isSuccess)
        #expect(delegate.asked.count == 1)
        #expect(delegate.trusts.first?.evaluation != nil)
        // The delegate's approval does not change the reported facts.
        #expect(response.tls?.trust == delegate.trusts.first)
        #expect(response.tls?.isForOneCall == true)
    }

    @Test(
        arguments: [
            (nil, .selfSigned), (.performDefaultHandling, .selfSigned), (.rejectProtectionSpace, .selfSigned),
            (.useCredential(Credential(user: "albert", password: "einstein")), .selfSigned),
            (.useCredential(Credential(trust: ServerTrust(host: "localhost", chain: [[1]]))), .selfSigned),
            (.cancel, .rejected),
        ] as [(ChallengeDisposition?, TLSFailure)]
    )
    func `any other answer approves of nothing`(_ answer: ChallengeDisposition?, _ expected: TLSFailure) async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate { _ in answer }
        let fault = await fault { () async throws(ClientError) in
            try await server.makeClient().data(for: server.get(.row(.selfSigned)), delegate: delegate)
        }
        #expect(fault == .tlsFailed(expected))
        #expect(delegate.asked.count == 1)
    }

    @Test func `a delegate refuses a server that is trusted`() async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate { _ in .cancel }
        let fault = await fault { () async throws(ClientError) in
            try await server.makeClient().data(for: server.get(.row(.valid)), delegate: delegate)
        }
        #expect(fault == .tlsFailed(.rejected))
    }

    @Test func `where the call's delegate has no opinion, the client's is asked`() async throws {
        let server = try await TrustServer.shared
        let (own, shared) = (TrustDelegate(), TrustDelegate.approving)
        let client = server.makeClient(delegate: shared)
        let (_, response) = try await client.data(for: server.get(.row(.selfSigned)), delegate: own)
        #expect(response.tls?.isForOneCall == false)
        #expect((own.asked.count, shared.asked.count) == (1, 1))
    }

    @Test func `where the call's delegate has one, the client's is not asked`() async throws {
        let server = try await TrustServer.shared
        let (own, shared) = (TrustDelegate { _ in .performDefaultHandling }, TrustDelegate.approving)
        let client = server.makeClient(delegate: shared)
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get(.row(.selfSigned)), delegate: own)
        }
        #expect(fault == .tlsFailed(.selfSigned))
        #expect((own.asked.count, shared.asked.count) == (1, 0))
    }

    /// The delegate also answers the 401.
    ///
    /// For the second request, the client does not ask about the server again.
    @Test(arguments: [CertificateMatrix.Row.valid, .selfSigned], [false, true])
    func `a delegate is asked once in a call`(_ row: CertificateMatrix.Row, isIndifferent: Bool) async throws {
        let server = try await TrustServer.shared
        let own = isIndifferent ? TrustDelegate() : TrustDelegate.approving
        let shared = TrustDelegate.approving
        let request = server.get(.row(row), "/secret")
            .credential(Credential(user: "albert", password: "einstein"), schemes: [.basic])
        let (data, response) = try await server.makeClient(delegate: shared).data(for: request, delegate: own)
        #expect(response.isSuccess)
        #expect(data == Data("secret".utf8))
        #expect(own.asked.count == 1)
        #expect(shared.asked.count == (isIndifferent ? 1 : 0))
    }

    @Test func `a delegate without an opinion is asked once in a call, too`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        let request = server.get(.row(.valid), "/secret")
            .credential(Credential(user: "albert", password: "einstein"), schemes: [.basic])
        // The first call uses a new connection, the second call reuses it.
        for _ in 0..<2 {
            let delegate = TrustDelegate()
            let (data, _) = try await client.data(for: request, delegate: delegate)
            #expect(data == Data("secret".utf8))
            #expect(delegate.asked.count == 1)
        }
    }

    /// A certificate may be right for one host and wrong for another host.
    @Test func `approval for one host is none for another`() async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate { trust in
            trust.host == "localhost" ? .useCredential(Credential(trust: trust)) : .performDefaultHandling
        }
        let request = server.get(.row(.selfSigned), "/moved")
        let fault = await fault { () async throws(ClientError) in
            try await server.makeClient().data(for: request, delegate: delegate)
        }
        #expect(delegate.trusts.map(\.host) == ["localhost", "127.0.0.1"])
        #expect(fault == .tlsFailed(.selfSigned))
    }
}
