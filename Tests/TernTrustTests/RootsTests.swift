// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing

/// Tests at which certificates a path may end.
@Suite("Roots", .hangLimit)
struct RootsTests {
    private func evaluation(
        _ row: CertificateMatrix.Row,
        host: String = "localhost",
        at time: Date = TrustEvaluatorTests.time,
        by policy: TrustPolicy
    ) async throws -> ServerTrust {
        let chain = try CertificateMatrix.shared.chain(row)
        return await (try TrustEvaluator(policy)).evaluate(chain: chain, host: host, at: time)
    }

    @Test func `the system does not know the tests' root`() async throws {
        let trust = try await self.evaluation(.valid, by: .system)
        #expect(trust.evaluation == .unknownRoot(issuer: "CN=Tern test root"))
    }

    @Test func `a root may be added to the system's`() async throws {
        let root = try CertificateMatrix.shared.rootFile
        #expect(try await self.evaluation(.valid, by: .system(adding: [.pemFile(path: root)])).isTrusted)
        // An application may add none, for example if its list comes from a setting.
        let trust = try await self.evaluation(.valid, by: .system(adding: []))
        #expect(trust.evaluation == .unknownRoot(issuer: "CN=Tern test root"))
    }

    @Test func `any of several roots will do, in any form`() async throws {
        let matrix = try CertificateMatrix.shared
        let other = try String(contentsOfFile: matrix.otherRootFile, encoding: .utf8)
        let root = try matrix.certificates(in: "root.pem")
        let policy = TrustPolicy.only([.pem(other)] + root.map { .der($0) })
        #expect(try await self.evaluation(.valid, by: policy).isTrusted)
        #expect(try await self.evaluation(.unknownRoot, by: policy).isTrusted)
        #expect(try await self.evaluation(.selfSigned, by: policy).evaluation == .selfSigned)
    }

    @Test func `an intermediate may be trusted alone`() async throws {
        let policy = TrustPolicy.only([.pemFile(path: try CertificateMatrix.shared.file("intermediate.pem"))])
        #expect(try await self.evaluation(.incompleteChain, by: policy).isTrusted)
        let trust = try await self.evaluation(.valid, by: policy)
        #expect(trust.verifiedChain == trust.chain)
    }

    /// The rule is the same as in OpenSSL.
    ///
    /// `openssl req -x509` creates authorities by default. The key of a server that is trusted for one host must not
    /// sign certificates for all hosts.
    @Test(
        arguments: [
            ("not-signing.pem", .noCertificateSigning, .constraintViolated),
            ("version-one.pem", .versionOneAbove, .constraintViolated),
            ("clients-only.pem", .wrongUsageAbove, .wrongUsage),
        ] as [(String, CertificateMatrix.Row, TLSFailure)]
    )
    func `a trusted certificate signs no more than it says that it may`(
        _ root: String,
        _ row: CertificateMatrix.Row,
        _ expected: TLSFailure
    ) async throws {
        let policy = TrustPolicy.only([.pemFile(path: try CertificateMatrix.shared.file(root))])
        #expect(try await self.evaluation(row, by: policy).evaluation == expected)
    }

    @Test func `a server's own certificate may be trusted alone, for its hosts and as long as it is valid`()
        async throws
    {
        let policy = TrustPolicy.only([.pemFile(path: try CertificateMatrix.shared.file("self-signed.pem"))])
        let trust = try await self.evaluation(.selfSigned, by: policy)
        #expect(trust.isTrusted)
        #expect(trust.verifiedChain == trust.chain)
        #expect(
            try await self.evaluation(.selfSigned, host: "a.test", by: policy).evaluation?.withoutDetails
                == .wrongHost()
        )
        let late = Date(timeIntervalSince1970: 2_600_000_000)
        #expect(
            try await self.evaluation(.selfSigned, at: late, by: policy).evaluation?.withoutDetails
                == .certificateExpired()
        )
        let early = Date(timeIntervalSince1970: 0)
        #expect(
            try await self.evaluation(.selfSigned, at: early, by: policy).evaluation?.withoutDetails
                == .certificateNotYetValid()
        )
        // The trusted certificate is not an authority, so the certificates that it signs are not trusted.
        let other = try await self.evaluation(.notAnAuthority, by: policy)
        #expect(other.evaluation == .unknownRoot(issuer: "CN=Tern test root"))
    }

    @Test func `nothing is verified where nothing is to be`() async throws {
        for row in [CertificateMatrix.Row.expired, .selfSigned, .wrongHost] {
            let trust = try await self.evaluation(row, by: .unverified)
            #expect(trust.isTrusted)
            #expect(trust.verifiedChain.isEmpty)
            #expect(trust.leafPin != nil)
        }
        let nobody = await (try TrustEvaluator(.unverified)).evaluate(
            chain: [],
            host: "a",
            at: TrustEvaluatorTests.time
        )
        #expect(nobody.evaluation?.withoutDetails == .invalidCertificate(""))
    }

    static let unreadable: [[CertificateSource]] = [
        [], [.pemFile(path: "/nowhere")], [.pemFile(path: "/")], [.pem("")], [.pem("nonsense")], [.der([])],
        [.der([1, 2, 3])],
        [.pem("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")],
        [.pem("-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n")],
        [.pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")],
    ]

    @Test(arguments: unreadable)
    func `a root that cannot be read is an error of configuration`(_ sources: [CertificateSource]) {
        let failures = [TrustPolicy.only(sources)] + (sources.isEmpty ? [] : [TrustPolicy.system(adding: sources)])
        for policy in failures {
            let error = #expect(throws: TLSFailure.self) { try TrustEvaluator(policy) }
            #expect(error?.isTrust == false)
            guard case .configuration? = error else {
                Issue.record("not an error of configuration: \(String(describing: error))")
                return
            }
        }
    }

    /// RFC 7468 §2: white space and the text between certificates have no meaning.
    ///
    /// A certificate that is cut off is an error.
    @Test func `PEM is read as it is found`() async throws {
        let matrix = try CertificateMatrix.shared
        let text = try String(contentsOfFile: matrix.rootFile, encoding: .utf8)
        let key = try String(contentsOfFile: matrix.file("client.key"), encoding: .utf8)
        let other = try String(contentsOfFile: matrix.otherRootFile, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let oneLine = ([lines.first ?? ""] + [lines.dropFirst().dropLast().joined()[...]] + [lines.last ?? ""])
        let readable = [
            text, text.replacing("\n", with: "\r\n"), "Our root:\n\(text)\nThat was it.", key + other + text,
            oneLine.joined(separator: "\n"), lines.map { " \($0)" }.joined(separator: "\n").replacing(" -", with: "-"),
        ]
        for pem in readable { #expect(try await self.evaluation(.valid, by: .only([.pem(pem)])).isTrusted) }
        for pem in [String(text.dropLast(40)), other + text.dropLast(40), text.dropLast(40) + "\n" + other] {
            #expect(throws: TLSFailure.self) { try TrustEvaluator(.only([.pem(pem)])) }
        }
    }
}
