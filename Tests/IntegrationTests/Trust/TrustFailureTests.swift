// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests handshakes that fail for a reason other than the server's certificate.
@Suite("Trust: handshakes", .hangLimit)
struct TrustFailureTests {
    /// The numbers of bytes after which the server's answer is cut off.
    ///
    /// These places are: before the answer, in the first record's header, in the ServerHello, and in the certificates.
    private static let cuts = [0, 3, 60, 700]

    private static let cutter = Task {
        let target = try await TrustServer.shared.port(.row(.valid))
        let script = ["-B", Scripts.path("tls_cutter.py"), "\(target)", "ports.txt"]
        let process = try PeerProcess("python3", script + Self.cuts.map(String.init))
        let report = process.folder.appending(path: "ports.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        let ports = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        return (process, ports)
    }

    @Test(arguments: 0..<2 * cuts.count, [false, true])
    func `a server closes the connection`(_ number: Int, isAsked: Bool) async throws {
        let (process, ports) = try await Self.cutter.value
        let client = try await TrustServer.shared.makeClient()
        let fault = await fault { () async throws(ClientError) in
            try await client.data(
                for: Request(.get, "https://localhost:\(ports[number])/"),
                delegate: isAsked ? TrustDelegate.approving : nil
            )
        }
        #expect(fault == .tlsFailed(.closed))
        withExtendedLifetime(process) {}
    }

    /// RFC 8996 §4 and §5: "TLS 1.0 MUST NOT be used", nor TLS 1.1.
    @Test(arguments: ["-tls1", "-tls1_1"])
    func `a server is too old`(_ version: String) async throws {
        let server = try await OpenSSLServer.launch(.rsa, [version, "-cipher", "ALL:@SECLEVEL=0"])
        let client = try await TrustServer.shared.makeClient()
        let error = await failure { () async throws(ClientError) in try await client.data(for: server.get()) }
        #expect(error?.fault == .tlsFailed(.versionNotSupported))
        #expect(error?.context.phase == .tls)
    }

    @Test(arguments: [(TrustServer.Entry.tls12, TLSConfiguration.Version.tls13), (.tls13, .tls12)])
    func `no version is common`(_ entry: TrustServer.Entry, _ version: TLSConfiguration.Version) async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient { ($0.tls.minimumVersion, $0.tls.maximumVersion) = (version, version) }
        let fault = await fault { () async throws(ClientError) in try await client.data(for: server.get(entry)) }
        #expect(fault == .tlsFailed(.versionNotSupported))
    }

    @Test(arguments: [false, true])
    func `a server does not speak TLS`(_ isAsked: Bool) async throws {
        let server = try await TrustServer.shared
        let delegate = TrustDelegate.approving
        let fault = await fault { () async throws(ClientError) in
            try await server.makeClient().data(for: server.get(.plain), delegate: isAsked ? delegate : nil)
        }
        #expect(fault == .tlsFailed(.plainHTTP))
        #expect(!delegate.asked.isRaised)
    }

    @Test func `no cipher is common`() async throws {
        let server = try await OpenSSLServer.launch(.valid, ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-CCM"])
        let client = try await TrustServer.shared.makeClient()
        let fault = await fault { () async throws(ClientError) in try await client.data(for: server.get()) }
        #expect(fault == .tlsFailed(.noCommonAlgorithm))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a server's key may be on P-521 or of Ed25519`(_ version: String) async throws {
        for row in [CertificateMatrix.Row.p521, .ed25519] {
            let server = try await OpenSSLServer.launch(row, [version])
            let client = try await TrustServer.shared.makeClient()
            let (data, response) = try await client.data(for: server.get())
            #expect(String(decoding: data, as: UTF8.self) == "hello")
            #expect(response.tls?.trust.verifiedChain.count == 3)
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a kind of key that the TLS library does not know`(_ version: String) async throws {
        let server = try await OpenSSLServer.launch(.ed448, [version])
        let client = try await TrustServer.shared.makeClient()
        let fault = await fault { () async throws(ClientError) in try await client.data(for: server.get()) }
        #expect(fault == .tlsFailed(.noCommonAlgorithm))
    }
}
