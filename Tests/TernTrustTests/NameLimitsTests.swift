// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import TernAuthentication
import TernErrors
import TestSupport
import Testing
import X509

@testable import TernTrust

/// Tests the name constraints of authorities (RFC 5280 §4.2.1.10).
@Suite("Name constraints")
struct NameLimitsTests {
    static let hosts: [(name: String, subtree: String, NameLimits.Relation)] = [
        ("example.com", "example.com", .inside), ("EXAMPLE.com", "example.COM", .inside),
        ("www.example.com", "example.com", .inside), ("a.b.example.com", "example.com", .inside),
        ("badexample.com", "example.com", .outside), ("com", "example.com", .outside),
        ("example.com.evil", "example.com", .outside), ("example.com.", "example.com", .inside),
        ("example.com", "example.com.", .inside), ("example.com", "", .inside), ("*.example.com", "", .inside),
        ("example.com", ".example.com", .outside), ("www.example.com", ".example.com", .inside),
        ("*.example.com", "example.com", .inside), ("*.example.com", ".example.com", .inside),
        ("*.example.com", "evil.example.com", .partly), ("*.EXAMPLE.com", "evil.example.COM", .partly),
        ("*.example.com", ".evil.example.com", .outside), ("*.example.com", "a.evil.example.com", .outside),
        ("*.example.com", "evil.example.org", .outside), ("*.example.com", "com", .inside),
        ("*", "localhost", .partly), ("*", "", .inside), ("-a.example.com", "example.com", .inside),
        ("a b.example.com", "example.com", .unknown), ("a..example.com", "example.com", .unknown),
        ("a.*.example.com", "example.com", .unknown), ("*a.example.com", "example.com", .unknown),
        ("", "example.com", .unknown), (".example.com", "example.com", .unknown),
        ("example.com", "*.example.com", .unknown), ("example.com", "exa mple.com", .unknown),
        ("example.com", ".", .unknown), ("example.com", "..", .unknown),
    ]

    @Test(arguments: hosts)
    func `hosts lie to subtrees`(_ row: (name: String, subtree: String, NameLimits.Relation)) {
        #expect(NameLimits.relation(ofHost: row.name, to: row.subtree) == row.2)
    }

    static let uris: [(uri: String, subtree: String, NameLimits.Relation)] = [
        ("https://example.com/a", "example.com", .inside), ("spiffe://a.example.com", ".example.com", .inside),
        ("https://a.example.com", "example.com", .outside), ("https://example.com", ".example.com", .outside),
        ("https://u@example.com:8080?a", "example.com", .inside),
        ("https://evil.org#@example.com", "example.com", .outside),
        ("https://127.0.0.1/", "example.com", .unknown), ("https://[::1]/", "example.com", .unknown),
        ("urn:example.com", "example.com", .unknown), ("https:///example.com", "example.com", .unknown),
        ("https://*/", "example.com", .unknown), ("https://example.com", "", .inside),
        ("https://127.0.0.1/", "", .unknown),
    ]

    @Test(arguments: uris)
    func `URIs lie to subtrees by their hosts`(_ row: (uri: String, subtree: String, NameLimits.Relation)) {
        #expect(NameLimits.relation(ofURI: row.uri, to: row.subtree) == row.2)
    }

    static let addresses: [(address: [UInt8], range: [UInt8], NameLimits.Relation)] = [
        ([10, 1, 2, 3], [10, 0, 0, 0, 255, 0, 0, 0], .inside), ([11, 1, 2, 3], [10, 0, 0, 0, 255, 0, 0, 0], .outside),
        ([10, 1, 2, 3], [10, 1, 2, 3, 255, 255, 255, 255], .inside),
        ([1, 2, 3, 4], .init(repeating: 0, count: 8), .inside),
        ([10, 255, 0, 0], [10, 240, 0, 0, 255, 240, 0, 0], .inside),
        ([10, 239, 0, 0], [10, 240, 0, 0, 255, 240, 0, 0], .outside),
        ([10, 1, 2, 3], [10, 0, 0, 0, 255, 0, 255, 0], .unknown),
        ([10, 1, 2, 3], [10, 0, 0, 0, 0xA0, 0, 0, 0], .unknown),
        ([10, 1, 2, 3], .init(repeating: 0, count: 32), .outside),
        (.init(repeating: 1, count: 16), .init(repeating: 0, count: 32), .inside),
        ([10, 1, 2], .init(repeating: 0, count: 8), .unknown), ([10, 1, 2, 3], [10, 0, 0, 0], .unknown),
    ]

    @Test(arguments: addresses)
    func `addresses lie to ranges`(_ row: (address: [UInt8], range: [UInt8], NameLimits.Relation)) {
        #expect(NameLimits.relation(ofAddress: row.address, to: row.range) == row.2)
    }

    /// Returns the evaluation of a chain that is good for `localhost` except for the given names and constraints.
    private static func evaluation(
        _ constraints: NameConstraints,
        _ names: GeneralName...
    ) async throws -> TLSFailure? {
        try await ForgedChain([.dnsName("localhost")] + names, constraints: constraints).evaluation().evaluation
    }

    /// This is the attack of CVE-2025-61727.
    @Test func `a wildcard does not evade an excluded subtree`() async throws {
        let constraints = NameConstraints(excludedSubtrees: [.dnsName("evil.example.com")])
        #expect(try await Self.evaluation(constraints, .dnsName("*.example.com")) == .constraintViolated)
        #expect(try await Self.evaluation(constraints, .dnsName("evil.example.com")) == .constraintViolated)
        #expect(try await Self.evaluation(constraints, .dnsName("*.evil.example.com")) == .constraintViolated)
        #expect(try await Self.evaluation(constraints, .dnsName("good.example.com"), .dnsName("*.example.org")) == nil)
    }

    @Test func `a wildcard does not reach beyond a permitted subtree`() async throws {
        let local = GeneralName.dnsName("localhost")
        let constraints = NameConstraints(permittedSubtrees: [local, .dnsName("a.example.com")])
        #expect(try await Self.evaluation(constraints, .dnsName("*.example.com")) == .constraintViolated)
        #expect(try await Self.evaluation(constraints, .dnsName("*.a.example.com")) == nil)
    }

    @Test func `a name that cannot be read is refused where names are limited`() async throws {
        for name in ["a b.example.com", "*a.example.com", "a..example.com"] {
            let constraints = NameConstraints(excludedSubtrees: [.dnsName("evil.example.com")])
            #expect(try await Self.evaluation(constraints, .dnsName(name)) == .constraintViolated)
            let others = NameConstraints(excludedSubtrees: [.rfc822Name("example.com")])
            #expect(try await Self.evaluation(others, .dnsName(name)) == nil)
        }
    }

    /// Names of kinds that Tern does not compare.
    static let foreign: [GeneralName] = [
        .rfc822Name("a@example.com"), .registeredID([1, 2, 3]), .otherName(.init(typeID: [1, 2, 3], value: nil)),
    ]

    @Test(arguments: foreign)
    func `a constraint means nothing where there is no name of its kind`(_ name: GeneralName) async throws {
        for constraints in [NameConstraints(permittedSubtrees: [name]), NameConstraints(excludedSubtrees: [name])] {
            #expect(try await Self.evaluation(constraints) == nil)
            // "… then the application MUST either process the constraint or reject the certificate."
            #expect(try await Self.evaluation(constraints, name) == .constraintViolated)
        }
    }

    @Test func `a constraint on e-mail alone leaves a server's certificate alone`() async throws {
        for address in ["example.com", ".example.com", "a@example.com"] {
            #expect(try await Self.evaluation(NameConstraints(permittedSubtrees: [.rfc822Name(address)])) == nil)
            #expect(try await Self.evaluation(NameConstraints(excludedSubtrees: [.rfc822Name(address)])) == nil)
        }
    }

    @Test func `subjects are permitted by their beginnings, and excluded by the same attributes with any values`()
        async throws
    {
        let same = GeneralName.directoryName(try DistinguishedName { CommonName("server") })
        let other = GeneralName.directoryName(try DistinguishedName { CommonName("other") })
        #expect(try await Self.evaluation(NameConstraints(permittedSubtrees: [same])) == nil)
        #expect(try await Self.evaluation(NameConstraints(permittedSubtrees: [other])) == .constraintViolated)
        #expect(try await Self.evaluation(NameConstraints(excludedSubtrees: [other])) == .constraintViolated)
        let nameless = try ForgedChain(constraints: NameConstraints(excludedSubtrees: [other]), subject: "")
        #expect(try await nameless.evaluation().evaluation == nil)
    }

    private static func name(_ attributes: [(ASN1ObjectIdentifier, String)]...) -> DistinguishedName {
        DistinguishedName(attributes.map { RelativeDistinguishedName($0.map { .init(type: $0.0, utf8String: $0.1) }) })
    }

    private static let (organization, unit) = (
        ASN1ObjectIdentifier.RDNAttributeType.organizationName,
        ASN1ObjectIdentifier.RDNAttributeType.organizationalUnitName
    )

    /// Directory names, excluded subtrees, and whether the name is allowed.
    ///
    /// Values are compared as bytes, so Tern cannot know whether different bytes are the same name (RFC 5280 §7.1).
    static let directoryNames: [(name: DistinguishedName, excluded: DistinguishedName, isAllowed: Bool)] = [
        (Self.name([(unit, "a")]), Self.name([(organization, "a")]), true),
        (Self.name([(organization, "a")]), Self.name([(organization, "a")], [(unit, "b")]), true),
        (
            Self.name([(organization, "a")], [(unit, "b")]), Self.name([(organization, "a")], [(organization, "b")]),
            true
        ),
        (Self.name([(organization, "a")]), Self.name([(organization, "a"), (unit, "b")]), true),
        (Self.name([(organization, "a"), (unit, "b")]), Self.name([(organization, "a")]), true),
        (Self.name([(organization, "a")], [(unit, "b")]), Self.name([(organization, "a")]), false),
        (Self.name([(organization, "a")]), Self.name([(organization, "A")]), false),
        (Self.name([(organization, "a")], [(unit, "b")]), Self.name([(organization, "c")], [(unit, "b")]), false),
        (
            Self.name([(organization, "a"), (unit, "b")]), Self.name([(unit, "a long one"), (organization, "c")]), false
        ),
        (Self.name([(organization, "a")]), DistinguishedName(), false),
    ]

    @Test(arguments: directoryNames)
    func `a name of other attributes is not excluded`(
        _ row: (name: DistinguishedName, excluded: DistinguishedName, isAllowed: Bool)
    ) async throws {
        let constraints = NameConstraints(excludedSubtrees: [.directoryName(row.excluded)])
        let failure = try await Self.evaluation(constraints, .directoryName(row.name))
        #expect(failure == (row.isAllowed ? nil : .constraintViolated))
    }

    @Test func `more comparisons than can be done are refused`() async throws {
        let subtrees = (0..<600).map { GeneralName.dnsName("a\($0).example.com") }
        let names = (0..<600).map { GeneralName.dnsName("b\($0).example.com") }
        let constraints = NameConstraints(excludedSubtrees: subtrees)
        let few = try ForgedChain([.dnsName("localhost")] + names.prefix(300), constraints: constraints)
        #expect(try await few.evaluation().evaluation == nil)
        let many = try ForgedChain([.dnsName("localhost")] + names, constraints: constraints)
        #expect(try await many.evaluation().evaluation == .constraintViolated)
    }
}
