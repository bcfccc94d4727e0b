// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernAuthentication
import TernErrors
import TestSupport
import Testing

@testable import TernTrust

/// Tests certificates that openssl signs with RSASSA-PSS.
@Suite("Certificates that are signed with RSASSA-PSS", .hangLimit)
struct PSSTests {
    /// Creates a certificate for `localhost` with the RSA key of the matrix, signed by the RSA root.
    ///
    /// - Parameter options: The options of openssl for the signature.
    /// - Returns: The chain that a server sends, in DER form.
    /// - Throws: The failure of openssl.
    private static func chain(_ options: [String]) throws -> [[UInt8]] {
        let matrix = try CertificateMatrix.shared
        let folder = try TemporaryFolder()
        try Data().write(to: folder.url.appending(path: "index"))
        // With this command, the test chooses both dates.
        let command = [
            "ca", "-batch", "-notext", "-config", matrix.file("ca.conf"), "-startdate", "20200101000000Z", "-enddate",
            "20491231235959Z", "-subj", "/CN=pss", "-in", matrix.file("rsa.csr"), "-extensions", "server", "-cert",
            matrix.rsaRootFile, "-keyfile", matrix.file("rsa-root.key"), "-out", "leaf.pem",
        ]
        try PeerProcess.run("openssl", command + options, in: folder.url)
        try PeerProcess.run(
            "openssl",
            ["x509", "-in", "leaf.pem", "-outform", "DER", "-out", "leaf.der"],
            in: folder.url
        )
        return [[UInt8](try Data(contentsOf: folder.url.appending(path: "leaf.der")))]
    }

    private static func evaluation(_ chain: [[UInt8]], host: String = "localhost") async throws -> ServerTrust {
        let root = try CertificateMatrix.shared.rsaRootFile
        let evaluator = try TrustEvaluator(.only([.pemFile(path: root)]))
        return await evaluator.evaluate(chain: chain, host: host, at: TrustEvaluatorTests.time)
    }

    private static func pss(_ hash: String, salt: String = "-1", mask: String? = nil) -> [String] {
        ["-md", hash, "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:\(salt)"]
            + (mask.map { ["-sigopt", "rsa_mgf1_md:\($0)"] } ?? [])
    }

    @Test(arguments: ["sha256", "sha384", "sha512"])
    func `the parameters of TLS are accepted`(hash: String) async throws {
        let chain = try Self.chain(Self.pss(hash))
        let trust = try await Self.evaluation(chain)
        #expect(trust.evaluation == nil)
        #expect(trust.verifiedChain.first == chain.first)
        #expect(try await Self.evaluation(chain, host: "other").evaluation?.withoutDetails == .wrongHost())
    }

    @Test(
        arguments: [
            ("sha1", "-1", nil), ("sha256", "20", nil), ("sha256", "0", nil), ("sha256", "-1", "sha1"),
            ("sha512", "-1", "sha256"), ("sha224", "-1", nil),
        ] as [(String, String, String?)]
    )
    func `other parameters are refused`(hash: String, salt: String, mask: String?) async throws {
        let trust = try await Self.evaluation(try Self.chain(Self.pss(hash, salt: salt, mask: mask)))
        guard case .invalidCertificate? = trust.evaluation else {
            Issue.record("\(String(describing: trust.evaluation))")
            return
        }
    }

    @Test func `a changed byte of the certificate or its signature is noticed`() async throws {
        let good = try Self.chain(Self.pss("sha256"))
        #expect(try await Self.evaluation(good).isTrusted)
        let leaf = try #require(good.first)
        // A byte of the name, and two of the signature.
        let places = [
            try #require(leaf.firstRange(of: Array("pss".utf8))).lowerBound, leaf.count - 1, leaf.count - 200,
        ]
        for place in places {
            var bad = leaf
            bad[place] ^= 1
            #expect(try await !Self.evaluation([bad]).isTrusted, "byte \(place)")
        }
    }

    @Test func `a signature counts only with the algorithm that the certificate names`() async throws {
        let (pss, plain) = (try Self.chain(Self.pss("sha256")), try Self.chain(["-md", "sha256"]))
        #expect(try await Self.evaluation(plain).isTrusted)
        let (one, other) = (try #require(pss.first), try #require(plain.first))
        // The signature of a key with 2048 bits is the last 256 bytes.
        #expect(try await !Self.evaluation([Array(one.dropLast(256) + other.suffix(256))]).isTrusted)
        #expect(try await !Self.evaluation([Array(other.dropLast(256) + one.suffix(256))]).isTrusted)
    }
}
