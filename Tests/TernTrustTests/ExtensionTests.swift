// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import TernAuthentication
import TernErrors
import TernTrust
import TestSupport
import Testing
import X509

/// Tests extensions of certificates in the forms that real certificates have (RFC 5280 §4.2).
@Suite("Extensions of certificates", .hangLimit)
struct ExtensionTests {
    private static func policies(critical: Bool = true) -> [Certificate.Extension] {
        let anyPolicy: [UInt8] = [0x30, 8, 0x30, 6, 6, 4, 0x55, 0x1D, 0x20, 0]
        return [
            Certificate.Extension(oid: [2, 5, 29, 32], critical: critical, value: anyPolicy[...]),
            Certificate.Extension(oid: [2, 5, 29, 54], critical: critical, value: [2, 1, 0]),
        ]
    }

    /// RFC 5280 §4.2: "At a minimum, applications conforming to this profile MUST recognize the following extensions".
    @Test func `policies are recognized`() async throws {
        #expect(try await ForgedChain(leafExtensions: Self.policies()).evaluation().isTrusted)
        #expect(try await ForgedChain(authorityExtensions: Self.policies()).evaluation().isTrusted)
        #expect(try await ForgedChain(rootExtensions: Self.policies()).evaluation().isTrusted)
    }

    /// Policy constraints may require a policy in all certificates of the path, and Tern does not check policies.
    @Test func `constraints on policies are refused where they are critical`() async throws {
        let required: [UInt8] = [0x30, 3, 0x80, 1, 0]
        let critical = [Certificate.Extension(oid: [2, 5, 29, 36], critical: true, value: required[...])]
        #expect(try await ForgedChain(leafExtensions: critical).evaluation().evaluation == .constraintViolated)
        #expect(try await ForgedChain(authorityExtensions: critical).evaluation().evaluation == .constraintViolated)
        #expect(try await ForgedChain(rootExtensions: critical).evaluation().evaluation == .constraintViolated)
    }

    /// Values of the extension, and whether each allows a key to sign certificates.
    static let keyUsages: [(value: [UInt8], isAllowed: Bool)] = [
        ([3, 2, 1, 6], true), ([3, 2, 2, 4], true), ([3, 3, 7, 4, 0x80], true),
        // Some authorities do not use the shortest form.
        ([3, 2, 0, 6], true), ([3, 3, 0, 6, 0], true), ([3, 3, 7, 6, 0], true),
        ([3, 2, 7, 0x80], false), ([3, 2, 0, 0x80], false), ([3, 2, 1, 2], false), ([3, 1, 0], false),
        ([3, 3, 0, 0, 6], false), ([4, 0], false), ([4, 1, 6], false), ([], false), ([3, 2, 8, 6], false),
        ([3, 2, 3, 4], false), ([3, 2, 1, 6, 0], false),
    ]

    /// RFC 5280 §6.1.4 (n): "If a key usage extension is present, verify that the keyCertSign bit is set".
    @Test(arguments: keyUsages)
    func `an authority's key signs certificates if its bit says so`(
        _ row: (value: [UInt8], isAllowed: Bool)
    ) async throws {
        let usage = [Certificate.Extension(oid: [2, 5, 29, 15], critical: true, value: row.value[...])]
        let expected = row.isAllowed ? nil : TLSFailure.constraintViolated
        #expect(try await ForgedChain(authorityExtensions: usage).evaluation().evaluation == expected)
        #expect(try await ForgedChain(rootExtensions: usage).evaluation().evaluation == expected)
    }

    static let purposes: [(usages: [ExtendedKeyUsage.Usage], isAllowed: Bool)] = [
        ([.serverAuth], true), ([.any], true), ([.clientAuth, .serverAuth], true), ([.clientAuth, .any], true),
        ([.clientAuth], false), ([.codeSigning, .emailProtection], false), ([], false),
    ]

    /// RFC 5280 §4.2.1.12: "If a CA includes extended key usages to satisfy such applications, but does not wish to
    /// restrict usages of the key, the CA can include the special KeyPurposeId anyExtendedKeyUsage".
    @Test(arguments: purposes)
    func `a certificate is for servers, for anything, or refused`(
        _ row: (usages: [ExtendedKeyUsage.Usage], isAllowed: Bool)
    ) async throws {
        let usages = [try Certificate.Extension(ExtendedKeyUsage(row.usages), critical: true)]
        let expected = row.isAllowed ? nil : TLSFailure.wrongUsage
        #expect(try await ForgedChain(leafExtensions: usages).evaluation().evaluation == expected)
        #expect(try await ForgedChain(authorityExtensions: usages).evaluation().evaluation == expected)
        #expect(try await ForgedChain(rootExtensions: usages).evaluation().evaluation == expected)
    }
}
