// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernConnections
import TestSupport
import Testing

/// Compares the TLS facts of a response with the server's report.
@Suite("Trust: facts", .hangLimit)
struct TLSFactsTests {
    /// The names of cipher suites in OpenSSL that differ from IANA's names.
    private static let names = [
        "ECDHE-ECDSA-AES128-GCM-SHA256": "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "ECDHE-ECDSA-AES256-GCM-SHA384": "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "ECDHE-ECDSA-CHACHA20-POLY1305": "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "ECDHE-RSA-AES128-GCM-SHA256": "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "ECDHE-RSA-CHACHA20-POLY1305": "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    ]

    @Test(arguments: [(TrustServer.Entry.tls12, TLSConfiguration.Version.tls12), (.tls13, .tls13)])
    func `client and server agree on what was agreed`(
        _ entry: TrustServer.Entry,
        _ version: TLSConfiguration.Version
    ) async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient()
        // The first request uses a new connection, the second request reuses it.
        for _ in 0..<2 {
            let (data, response) = try await client.data(for: server.get(entry))
            let (report, facts) = (TrustServer.Report(data), try #require(response.tls))
            #expect(facts.version == version)
            #expect(report.version == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
            #expect(facts.cipherSuite?.description == Self.names[report.cipherSuite] ?? report.cipherSuite)
            #expect(facts.applicationProtocol == "http/1.1")
            #expect(report.applicationProtocol == "http/1.1")
            #expect(facts.trust.chain == (try server.matrix.chain(.valid)))
            #expect(facts.trust.verifiedChain.count == 3)
            #expect(facts.trust.host == "localhost")
            #expect(facts.trust.isTrusted)
            #expect(!facts.isForOneCall)
        }
    }

    @Test(arguments: [CertificateMatrix.Row.valid, .rsa], ["AES128-GCM-SHA256", "CHACHA20-POLY1305"])
    func `the cipher suite is the server's choice`(_ row: CertificateMatrix.Row, _ cipher: String) async throws {
        let name = "ECDHE-\(row == .rsa ? "RSA" : "ECDSA")-\(cipher)"
        let server = try await OpenSSLServer.launch(row, ["-tls1_2", "-cipher", name])
        let client = try await TrustServer.shared.makeClient()
        let (_, response) = try await client.data(for: server.get())
        #expect(response.tls?.cipherSuite?.description == Self.names[name])
        // openssl has no list of protocols, so it chooses none.
        #expect(response.tls?.applicationProtocol == nil)
    }

    @Test(
        arguments: [("TLS_CHACHA20_POLY1305_SHA256", 0x1303), ("TLS_AES_256_GCM_SHA384", 0x1302)] as [(String, UInt16)]
    )
    func `so is that of TLS 1_3`(_ name: String, _ number: UInt16) async throws {
        let server = try await OpenSSLServer.launch(.valid, ["-tls1_3", "-ciphersuites", name])
        let client = try await TrustServer.shared.makeClient()
        let (_, response) = try await client.data(for: server.get())
        #expect(response.tls?.cipherSuite == TLSCipherSuite(rawValue: number))
        #expect(response.tls?.cipherSuite?.description == name)
    }

    /// A server asks for another key share with a message that looks like a ServerHello (RFC 8446 §4.1.4).
    @Test func `a HelloRetryRequest is no obstacle`() async throws {
        let name = "TLS_AES_256_GCM_SHA384"
        let server = try await OpenSSLServer.launch(.valid, ["-tls1_3", "-groups", "P-384", "-ciphersuites", name])
        let client = try await TrustServer.shared.makeClient()
        let (data, response) = try await client.data(for: server.get())
        #expect(data == Data("hello".utf8))
        #expect(response.tls?.cipherSuite?.description == name)
    }

    @Test func `there are none without TLS`() async throws {
        let server = try await TrustServer.shared
        let url = "http://localhost:\(server.port(.plain))/"
        let (_, response) = try await server.makeClient().data(for: Request(.get, url))
        #expect(response.tls == nil)
    }

    @Test(arguments: [TrustServer.Entry.tls12, .tls13])
    func `the secrets of connections are logged, for the owner alone`(_ entry: TrustServer.Entry) async throws {
        let server = try await TrustServer.shared
        let folder = try TemporaryFolder()
        let file = folder.file("keys.log")
        for count in 1...2 {
            let client = server.makeClient { $0.tls.keyLogPath = file.path }
            _ = try await client.data(for: server.get(entry))
            _ = try await client.data(for: server.get(entry))
            let label = entry == .tls12 ? "CLIENT_RANDOM" : "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
            let pattern = try Regex(#"^[A-Z_0-9]+ [0-9a-f]{64} [0-9a-f]{64,96}$"#)
            // Both calls use one connection, whose lines follow the lines of the earlier connection.
            try await eventually("the secrets are there") {
                let lines = try folder.text(of: "keys.log").split(separator: "\n", omittingEmptySubsequences: false)
                guard lines.last == "" else { return false }
                let isWellFormed = lines.dropLast().allSatisfy { $0.firstMatch(of: pattern) != nil }
                return isWellFormed && lines.count { $0.hasPrefix(label + " ") } == count
            }
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a log that others can read is closed to them before anything is written`() async throws {
        let server = try await TrustServer.shared
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "keys.log")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try await server.makeClient { $0.tls.keyLogPath = path }.data(for: server.get(.tls13))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a log by a link of one's own is written, and the link stays`() async throws {
        let server = try await TrustServer.shared
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("link").path, withDestinationPath: "keys.log")
        let client = server.makeClient { $0.tls.keyLogPath = folder.file("link").path }
        _ = try await client.data(for: server.get(.tls13))
        try await eventually("the secrets are there") { (try? folder.text(of: "keys.log").isEmpty) == false }
        #expect(try folder.names == ["keys.log", "link"])
    }

    @Test(arguments: ["pipe", "folder", "second", "given", "link"])
    func `what another user may have put in the place of a log is refused`(_ name: String) async throws {
        if ["given", "link"].contains(name), geteuid() != 0 { return }  // only the superuser can give files away
        let server = try await TrustServer.shared
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "first")
        try folder.write("", to: "given")
        let path = { (name: String) in folder.file(name).path }
        #expect(mkfifo(path("pipe"), 0o600) == 0 && mkdir(path("folder"), 0o700) == 0)
        #expect(link(path("first"), path("second")) == 0 && symlink("mine", path("link")) == 0)
        if geteuid() == 0 {
            #expect(chown(path("given"), 12345, 12345) == 0 && lchown(path("link"), 12345, 12345) == 0)
        }
        let client = server.makeClient { $0.tls.keyLogPath = path(name) }
        let fault = await fault { () async throws(ClientError) in try await client.data(for: server.get(.tls13)) }
        #expect(fault == .tlsMisconfigured)
        #expect(try folder.text(of: "first") == "mine" && folder.text(of: "given").isEmpty)
        #expect(try folder.names == ["first", "folder", "given", "link", "pipe", "second"])
    }

    @Test func `a log that cannot be opened is reported`() async throws {
        let server = try await TrustServer.shared
        let client = server.makeClient { $0.tls.keyLogPath = "/nowhere/keys.log" }
        let fault = await fault { () async throws(ClientError) in try await client.data(for: server.get(.tls13)) }
        #expect(fault == .tlsMisconfigured)
    }
}
