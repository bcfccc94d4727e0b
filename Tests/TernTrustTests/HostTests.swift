// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import TernAuthentication
import TernErrors
import TestSupport
import Testing
import X509

@testable import TernTrust

@Suite("Hosts")
struct HostTests {
    static let good: [(CertificateMatrix.Row, String)] = [
        (.valid, "localhost"), (.valid, "LocalHost"), (.valid, "localhost."), (.valid, "127.0.0.1"), (.valid, "::1"),
        (.valid, "[::1]"), (.valid, "0:0:0:0:0:0:0:1"), (.valid, "::1%lo"), (.addressOnly, "127.0.0.1"),
        (.wildcard, "a.tern.test"), (.wildcard, "A.TERN.TEST."), (.wildcard, "xn--bcher-kva.tern.test"),
        (.wildcard, "under_score.tern.test"), (.wrongHost, "elsewhere.example"), (.wrongHost, "127.0.0.9"),
    ]

    static let bad: [(CertificateMatrix.Row, String)] = [
        (.valid, ""), (.valid, "."), (.valid, "localhost.."), (.valid, "localhost.evil"), (.valid, "evil.localhost"),
        (.valid, "localhost\0"), (.valid, "localhost\0.evil"), (.valid, "127.0.0.2"), (.valid, "::2"),
        (.valid, "::ffff:127.0.0.1"), (.valid, "127.1"), (.valid, "*"), (.addressOnly, "localhost"),
        (.wildcard, "tern.test"), (.wildcard, ".tern.test"), (.wildcard, "a.b.tern.test"), (.wildcard, "*.tern.test"),
        (.wildcard, "example.com"), (.wildcard, "abc.part.tern.test"), (.wildcard, "a*.part.tern.test"),
        (.wildcard, "a.tern.test.evil"), (.wildcard, "127.0.0.1"), (.wildcard, "a.bücher.test"), (.valid, "[::1"),
        (.valid, "loc%lhost"),
        (.valid, "[localhost"), (.valid, "[localhost]"),
        // `inet_pton` stops at NUL, and only IPv6 addresses have brackets and zones.
        (.valid, "127.0.0.1\0"), (.valid, "127.0.0.1\0.evil"), (.valid, "::1\0.evil"), (.valid, "127.0.0.1%lo"),
        (.valid, "127.0.0.1%:"), (.valid, "[127.0.0.1]"), (.valid, "127.0.0.1."),
    ]

    private func evaluation(_ row: CertificateMatrix.Row, _ host: String) async throws -> TLSFailure? {
        let matrix = try CertificateMatrix.shared
        let evaluator = try TrustEvaluator(.only([.pemFile(path: matrix.rootFile)]))
        let chain = try matrix.chain(row)
        return await evaluator.evaluate(chain: chain, host: host, at: TrustEvaluatorTests.time).evaluation
    }

    @Test(arguments: good)
    func `a certificate is for the hosts it names`(_ row: CertificateMatrix.Row, _ host: String) async throws {
        #expect(try await self.evaluation(row, host) == nil)
    }

    @Test(arguments: bad)
    func `a certificate is not for other hosts`(_ row: CertificateMatrix.Row, _ host: String) async throws {
        #expect(try await self.evaluation(row, host)?.withoutDetails == .wrongHost())
    }

    /// Patterns in certificates, hosts, and whether they match (RFC 9525 §6.3).
    static let patterns: [(pattern: String, host: String, matches: Bool)] = [
        ("example.org", "example.org", true), ("EXAMPLE.org", "example.ORG", true),
        ("example.org.", "example.org", false),
        ("", "", false), ("*.example.org", "a.example.org", true), ("*.example.org", "example.org", false),
        ("*.example.org", "a.b.example.org", false), ("*.example.org", ".example.org", false), ("*", "a", false),
        ("*.", "a.", false), ("*.org", "example.org", false), ("*.*.org", "a.b.org", false),
        ("a.*.org", "a.b.org", false), ("**.example.org", "a.example.org", false),
        ("*a.example.org", "ba.example.org", false), ("xn--*.example.org", "xn--a.example.org", false),
        ("127.0.0.1", "127.0.0.1", false), ("*.0.0.1", "127.0.0.1", false), ("127.0.0.1", "127.0.0.1.", false),
        ("127.1", "127.1", false), ("1.example.org", "1.example.org", true), ("a1.a1", "a1.a1", true),
        ("k.test", "\u{212A}.test", false),
        ("\u{212A}.test", "k.test", false), ("*.k.test", "a.\u{212A}.test", false), ("a.test\0.org", "a.test", false),
    ]

    @Test(arguments: patterns)
    func `a wildcard is one whole label on the left`(_ vector: (pattern: String, host: String, matches: Bool)) {
        #expect(HostIdentity(vector.host).matches([.dnsName(vector.pattern)]) == vector.matches)
    }

    /// RFC 9525 §6.4: "an octet-for-octet comparison".
    @Test func `an address is compared as bytes`() {
        let names: [GeneralName] = [.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))]
        #expect(HostIdentity("127.0.0.1").matches(names))
        #expect(!HostIdentity("::ffff:127.0.0.1").matches(names))
        #expect(!HostIdentity("localhost").matches(names))
        #expect(!HostIdentity("127.0.0.1").matches([.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0]))]))
        #expect(!HostIdentity("127.0.0.1").matches([.ipAddress(ASN1OctetString(contentBytes: []))]))
    }
}
