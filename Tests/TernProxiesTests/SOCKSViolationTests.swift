// SPDX-License-Identifier: Apache-2.0

import TernErrors
import TernProxies
import Testing

@Suite("SOCKSViolation")
struct SOCKSViolationTests {
    static let violations: [SOCKSViolation] = [
        .version(4), .version(UInt8(ascii: "H")), .methodNotOffered(1), .authenticationVersion(5), .reserved(1),
        .addressType(2), .credentialsMissing, .noAcceptableMethod, .credentialsRejected(status: 1),
        .refused(.connectionRefused), .refused(.unassigned(200)),
    ]

    @Test
    func `each says something of its own`() {
        #expect(Set(Self.violations.map(\.reason)).count == Self.violations.count)
        for violation in Self.violations {
            #expect(violation.reason.hasSuffix("."))
            #expect(violation.description == "\(violation.reason) (\(violation.section))")
            #expect(violation.section.hasPrefix("RFC 19"))
        }
    }

    static let failures: [(SOCKSViolation, ProxyFailure)] = [
        (.credentialsMissing, .authenticationRequired), (.credentialsRejected(status: 1), .authenticationRequired),
        (.refused(.hostUnreachable), .socks(.hostUnreachable)),
        (.addressType(2), .violation(section: "RFC 1928 §6", reason: SOCKSViolation.addressType(2).reason)),
    ]

    @Test(arguments: failures)
    func `each becomes a failure of the call`(_ violation: SOCKSViolation, _ failure: ProxyFailure) {
        #expect(violation.failure == failure)
    }

    @Test
    func `a proxy that accepts no offered method is not supported`() {
        guard case .unsupported = SOCKSViolation.noAcceptableMethod.failure else {
            Issue.record("\(SOCKSViolation.noAcceptableMethod.failure)")
            return
        }
    }

    @Test(arguments: [4, 0x48] as [UInt8])
    func `who does not speak SOCKS breaks a rule`(_ version: UInt8) {
        let violation = SOCKSViolation.version(version)
        #expect(violation.failure == .violation(section: "RFC 1928 §3", reason: violation.reason))
    }

    @Test
    func `a proxy for HTTP is recognised`() {
        #expect(SOCKSViolation.version(UInt8(ascii: "H")).reason.contains("HTTP"))
    }
}
