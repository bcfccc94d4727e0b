// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing
import X509

/// Tests names and constraints along a path (RFC 5280 §6.1.3).
@Suite("Name constraints of paths", .hangLimit)
struct NamesOfPathsTests {
    private let forge: Forge
    private let root: [UInt8]

    init() throws {
        self.forge = try Forge()
        self.root = try self.forge.certificate("root", by: "root") {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
    }

    /// Returns a certificate with names and, for an authority, with constraints that none of these names breaks.
    private func certificate(
        _ subject: String,
        by issuer: String,
        nameCount: Int,
        excludedCount: Int? = nil,
        usage: ExtendedKeyUsage.Usage? = nil
    ) throws -> [UInt8] {
        let names = (0..<nameCount).map { GeneralName.dnsName("a\($0)") }
        return try self.forge.certificate(subject, by: issuer) {
            SubjectAlternativeNames([.dnsName("localhost")] + names)
            if let excludedCount {
                BasicConstraints.isCertificateAuthority(maxPathLength: nil)
                Critical(NameConstraints(excludedSubtrees: (0..<excludedCount).map { .dnsName("b\($0)") }))
            }
            if let usage { try ExtendedKeyUsage([usage]) }
        }
    }

    /// Each authority has few constraints, and each certificate has few names.
    ///
    /// All comparisons together are two million.
    @Test func `all comparisons of a path count together`() async throws {
        let count = 15
        let chain = try (0...count).map { place in
            try self.certificate(
                "\(place)",
                by: place == count ? "root" : "\(place + 1)",
                nameCount: 130,
                excludedCount: place == 0 ? nil : 130
            )
        }
        #expect(try await Forge.trust(chain, roots: [self.root]).evaluation == .constraintViolated)
        // The upper part of the same chain is trusted, because it needs few comparisons.
        let leaf = try self.certificate("leaf", by: "\(count - 1)", nameCount: 130)
        #expect(try await Forge.trust([leaf] + chain.suffix(2), roots: [self.root]).isTrusted)
    }

    @Test func `all comparisons of all paths count together`() async throws {
        let leaf = try self.certificate("server", by: "authority", nameCount: 400)
        let good = try self.certificate("authority", by: "root", nameCount: 0, excludedCount: 400)
        let bad = try self.certificate("authority", by: "root", nameCount: 0, excludedCount: 400, usage: .clientAuth)
        #expect(try await Forge.trust([leaf, good, bad], roots: [self.root]).isTrusted)
        // The reported reason is the failure of the path that came closest to being trusted.
        #expect(try await Forge.trust([leaf, bad, good], roots: [self.root]).evaluation == .wrongUsage)
        // A path without constraints needs no comparisons, so it is still trusted.
        let free = try self.forge.certificate("authority", by: "root") {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
        #expect(try await Forge.trust([leaf, bad, good, free], roots: [self.root]).isTrusted)
    }

    /// RFC 5280 §6.1.3: "If certificate i is self-issued and it is not the final certificate in the path, skip this step".
    @Test func `an authority that issued itself a certificate for a new key need not have a permitted name`()
        async throws
    {
        let renewed = try Forge(keyFile: "other.key")
        let name = try DistinguishedName {
            OrganizationName("Authority")
            CommonName("authority")
        }
        let customer = try DistinguishedName { OrganizationName("Customer") }
        let stranger = try DistinguishedName { OrganizationName("Stranger") }
        let authority = try Certificate.Extensions { BasicConstraints.isCertificateAuthority(maxPathLength: nil) }
        let limited = try Certificate.Extensions {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
            Critical(NameConstraints(permittedSubtrees: [.directoryName(customer)]))
        }
        let server = try Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) }
        let old = try self.forge.certificate(name, by: DistinguishedName { CommonName("root") }, extensions: limited)
        let new = try self.forge.certificate(name, by: name, for: renewed, extensions: authority)
        let good = try renewed.certificate(customer, by: name, extensions: server)
        let trust = try await Forge.trust([good, new, old], roots: [self.root])
        #expect(trust.evaluation == nil)
        #expect(trust.verifiedChain == [good, new, old, self.root])
        let bad = try renewed.certificate(stranger, by: name, extensions: server)
        #expect(try await Forge.trust([bad, new, old], roots: [self.root]).evaluation == .constraintViolated)
        // The rule does not apply to the server's own certificate, which is the final one.
        let own = try renewed.certificate(name, by: name, extensions: server)
        #expect(try await Forge.trust([own, new, old], roots: [self.root]).evaluation == .constraintViolated)
    }
}
