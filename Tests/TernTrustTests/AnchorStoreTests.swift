// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TestSupport
import Testing
import X509

@testable import TernTrust

/// Tests the store of roots, which parses a certificate when a path first needs it.
@Suite("Store of roots")
struct AnchorStoreTests {
    @Test func `a root is found by its name, as often as it is needed`() throws {
        let forge = try Forge()
        let one = try forge.certificate("one", by: "one") {}
        let two = try forge.certificate("two", by: "two") {}
        let store = AnchorStore(skippingMalformed: [one, two])
        let root = try ParsedCertificate(two)
        for _ in 0..<2 {
            #expect(store[root.subject] == [root])
            #expect(store.contains(root))
        }
        let stranger = try ParsedCertificate(forge.certificate("three", by: "two") {})
        #expect(store[stranger.subject].isEmpty)
        #expect(store[stranger.issuer] == [root])
        #expect(!store.contains(stranger))
    }

    @Test func `several roots may have one name`() throws {
        let old = try Forge().certificate("one", by: "one", Forge.Faults(isExpired: true)) {}
        let new = try Forge().certificate("one", by: "one") {}
        let roots = [try ParsedCertificate(old), try ParsedCertificate(new)]
        #expect(AnchorStore(skippingMalformed: [old, new])[roots[0].subject] == roots)
        #expect(AnchorStore(roots)[roots[0].subject] == roots)
    }

    /// A Swift string of one is equal to a string of the other, but the names have different bytes.
    @Test func `a name in another encoding is another name`() async throws {
        let (forge, root) = (try Forge(), try Forge(keyFile: "client.key"))
        let leaf = try forge.certificate("localhost", by: "Caf\u{E9}", for: forge) {
            SubjectAlternativeNames([.dnsName("localhost")])
        }
        for (name, isTrusted) in [("Caf\u{E9}", true), ("Cafe\u{301}", false)] {
            let authority = try root.certificate(name, by: name) {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            }
            let trust = try await Forge.trust([leaf], roots: [authority])
            #expect(trust.isTrusted == isTrusted, "\(String(describing: trust.evaluation))")
        }
    }

    /// Old systems have roots that nothing reads any more.
    @Test func `a root that cannot be read does not hide the others`() throws {
        let odd = try Forge().certificate("one", by: "one", Forge.Faults(hasStrangeKey: true)) {}
        let good = try Forge().certificate("one", by: "one") {}
        let store = AnchorStore(skippingMalformed: [[], [1, 2, 3], odd, good])
        let root = try ParsedCertificate(good)
        #expect(store[root.subject] == [root])
        #expect(!store.isEmpty)
        #expect(AnchorStore(skippingMalformed: [[], [1, 2, 3]]).isEmpty)
    }
}
