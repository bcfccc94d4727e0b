// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing
import X509

/// Tests which path is found, and which constraints of its trusted certificate apply (RFC 5280 §6.1, RFC 4158).
@Suite("Paths", .hangLimit)
struct PathTests {
    private let forge: Forge
    private let leaf: [UInt8]

    init() throws {
        self.forge = try Forge()
        self.leaf = try self.forge.certificate("server", by: "authority") {
            SubjectAlternativeNames([.dnsName("localhost")])
        }
    }

    private func authority(
        _ subject: String,
        by issuer: String,
        _ faults: Forge.Faults = .init(),
        for holder: Forge? = nil,
        pathLength: Int? = nil,
        extensions: [Certificate.Extension] = []
    ) throws -> [UInt8] {
        try self.forge.certificate(subject, by: issuer, faults, for: holder) {
            BasicConstraints.isCertificateAuthority(maxPathLength: pathLength)
            try Certificate.Extensions(extensions)
        }
    }

    // MARK: Trusted authorities

    /// RFC 5280 §4.2.1.9 states this rule, and RFC 5937 §3.2 applies it to trusted certificates.
    @Test func `a trusted authority says how many may be below it`() async throws {
        let chain = [self.leaf, try self.authority("authority", by: "root")]
        for (pathLength, expected) in [(0, TLSFailure?.some(.constraintViolated)), (1, nil)] {
            let root = try self.authority("root", by: "root", pathLength: pathLength)
            #expect(try await Forge.trust(chain, roots: [root]).evaluation == expected)
        }
    }

    /// RFC 5280 §4.2.1.10 states this rule, and RFC 5937 §3.2 applies it to trusted certificates.
    @Test func `a trusted authority says which names may be below it`() async throws {
        let chain = [self.leaf, try self.authority("authority", by: "root")]
        for (name, expected) in [("localhost", TLSFailure?.some(.constraintViolated)), ("other.test", nil)] {
            let constraints = NameConstraints(excludedSubtrees: [.dnsName(name)])
            let root = try self.authority(
                "root",
                by: "root",
                extensions: [Certificate.Extension(constraints, critical: true)]
            )
            #expect(try await Forge.trust(chain, roots: [root]).evaluation == expected)
        }
    }

    /// The authority is present, so the reason must not be that it is missing.
    @Test func `a trusted authority with a critical extension that is not understood is named as the reason`()
        async throws
    {
        let chain = [self.leaf, try self.authority("authority", by: "root")]
        let unknown = Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 32473, 1], critical: true, value: [5, 0])
        let root = try self.authority("root", by: "root", extensions: [unknown])
        #expect(try await Forge.trust(chain, roots: [root]).evaluation == .constraintViolated)
        let good = try self.authority("root", by: "root")
        #expect(try await Forge.trust(chain, roots: [root, good]).verifiedChain == chain + [good])
        // An authority of the same name with another key did not issue the certificate.
        let stranger = try Forge(keyFile: "other.key").certificate("root", by: "root") {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
            unknown
        }
        #expect(try await Forge.trust(chain, roots: [stranger]).evaluation == .unknownRoot(issuer: "CN=root"))
    }

    @Test func `a path leads around a trusted authority that has expired`() async throws {
        let older = try Forge(keyFile: "other.key")
        let expired = try self.authority("root", by: "root", .init(isExpired: true))
        let oldRoot = try older.certificate("old root", by: "old root") {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
        let crossSigned = try older.certificate("root", by: "old root", for: self.forge) {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
        let chain = [self.leaf, try self.authority("authority", by: "root"), crossSigned]
        let trust = try await Forge.trust(chain, roots: [expired, oldRoot])
        #expect(trust.evaluation == nil)
        #expect(trust.verifiedChain == chain + [oldRoot])
        #expect(try await Forge.trust(chain, roots: [expired]).evaluation?.withoutDetails == .certificateExpired())
    }

    // MARK: Authorities in between

    /// RFC 5280 §4.2.1.9: "the maximum number of non-self-issued intermediate certificates that may follow".
    @Test func `an authority that issued itself a certificate for a new key is not counted`() async throws {
        let renewed = try Forge(keyFile: "other.key")
        let leaf = try renewed.certificate("server", by: "authority") {
            SubjectAlternativeNames([.dnsName("localhost")])
        }
        let root = try self.authority("root", by: "root", pathLength: 1)
        let old = try self.authority("authority", by: "root", pathLength: 0)
        let new = try self.authority("authority", by: "authority", for: renewed, pathLength: 0)
        let trust = try await Forge.trust([leaf, new, old], roots: [root])
        #expect(trust.evaluation == nil)
        #expect(trust.verifiedChain == [leaf, new, old, root])
        // An authority with another name counts.
        let upper = try self.authority("upper", by: "root", pathLength: 0)
        let lower = try self.authority("authority", by: "upper", for: renewed, pathLength: 0)
        #expect(try await Forge.trust([leaf, lower, upper], roots: [root]).evaluation == .constraintViolated)
    }

    /// RFC 4158 §3.5.12: issuers with the wanted identifier come first, then issuers without an identifier, then the
    /// others.
    @Test func `issuers are tried in the order that the identifiers of their keys tell`() async throws {
        func identified(_ identifier: [UInt8]) throws -> Certificate.Extension {
            try Certificate.Extension(SubjectKeyIdentifier(keyIdentifier: identifier[...]), critical: false)
        }
        let leaf = try self.forge.certificate("server", by: "authority") {
            SubjectAlternativeNames([.dnsName("localhost")])
            AuthorityKeyIdentifier(keyIdentifier: [2])
        }
        let root = try self.authority("root", by: "root")
        let other = try self.authority("authority", by: "root", extensions: [identified([1])])
        let none = try self.authority("authority", by: "root")
        let wanted = try self.authority("authority", by: "root", extensions: [identified([2])])
        for (sent, expected) in [([other, none, wanted], wanted), ([other, none], none), ([other], other)] {
            let trust = try await Forge.trust([leaf] + sent, roots: [root])
            #expect(trust.verifiedChain == [leaf, expected, root])
            // The order is the same if the issuers themselves are trusted.
            #expect(try await Forge.trust([leaf], roots: sent).verifiedChain == [leaf, expected])
        }
    }

    // MARK: Pins

    /// Returns a set with the pin of a certificate's key, whose backup pin belongs to no key of the tests.
    private static func set(_ certificate: [UInt8], enforcement: PinSet.Enforcement = .enforce) throws -> PinSet {
        let (pin, backup) = (
            try #require(KeyPin(certificate: certificate)), try KeyPin(sha256: Array(repeating: 0, count: 32))
        )
        return try PinSet(host: "localhost", pins: [pin], backupPins: [backup], enforcement: enforcement)
    }

    @Test func `a path with a pinned key is found behind one without`() async throws {
        let older = try Forge(keyFile: "other.key")
        let root = try self.authority("root", by: "root")
        let oldRoot = try older.certificate("old root", by: "old root") {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
        let crossSigned = try older.certificate("root", by: "old root", for: self.forge) {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
        let (below, roots) = ([self.leaf, try self.authority("authority", by: "root")], [root, oldRoot])
        let trust = try await Forge.trust(below + [crossSigned], roots: roots, pinSets: [Self.set(oldRoot)])
        #expect(trust.evaluation == nil)
        #expect(trust.verifiedChain == below + [crossSigned, oldRoot])
        let without = try await Forge.trust(below, roots: roots, pinSets: [Self.set(oldRoot)])
        #expect(without.evaluation == .pinMismatch)
        #expect(without.verifiedChain.isEmpty)
        // A set that only reports mismatches has no effect on the choice of the path.
        let reported = try await Forge.trust(
            below + [crossSigned],
            roots: roots,
            pinSets: [Self.set(oldRoot, enforcement: .reportOnly)]
        )
        #expect(reported.verifiedChain == below + [root])
        #expect(reported.pinReports.map(\.presented.count) == [3])
        // One path lacks the pin, and the other path has expired. The reason is the mismatch, because its rule comes
        // later.
        let expired = try older.certificate("old root", by: "old root", .init(isExpired: true)) {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
        let both = try await Forge.trust(below + [crossSigned], roots: [root, expired], pinSets: [Self.set(oldRoot)])
        #expect(both.evaluation == .pinMismatch)
        let alone = try await Forge.trust(below + [crossSigned], roots: [expired], pinSets: [Self.set(oldRoot)])
        #expect(alone.evaluation?.withoutDetails == .certificateExpired())
    }

    @Test func `a server that is trusted by name may have its authority pinned`() async throws {
        let older = try Forge(keyFile: "other.key")
        let root = try older.certificate("root", by: "root") {
            BasicConstraints.isCertificateAuthority(maxPathLength: nil)
        }
        let leaf = try older.certificate("server", by: "root", for: self.forge) {
            SubjectAlternativeNames([.dnsName("localhost")])
        }
        let trust = try await Forge.trust([leaf], roots: [leaf, root], pinSets: [Self.set(root)])
        #expect(trust.evaluation == nil)
        #expect(trust.verifiedChain == [leaf, root])
        #expect(try await Forge.trust([leaf], roots: [leaf, root]).verifiedChain == [leaf])
        #expect(try await Forge.trust([leaf], roots: [leaf], pinSets: [Self.set(root)]).evaluation == .pinMismatch)
    }
}
