// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import Testing

@Suite("ChallengeViolation")
struct ChallengeViolationTests {
    static let all: [(ChallengeViolation, String)] = [
        (.tooLong(limit: 1), "RFC 9110 §5.4"),
        (.tooManyChallenges(limit: 2), "RFC 9110 §17.5"),
        (.tooManyParameters(limit: 3), "RFC 9110 §17.5"),
        (.repeatedParameter(at: 4), "RFC 9110 §11.2"),
        (.parameterWithoutScheme(at: 5), "RFC 9110 §11.3"),
        (.unterminatedString(at: 6), "RFC 9110 §5.6.4"),
        (.invalidString(at: 7), "RFC 9110 §5.6.4"),
        (.malformed(at: 8), "RFC 9110 §11.6.1"),
    ]

    @Test(arguments: all)
    func `a violation names its section and says what is wrong`(_ violation: ChallengeViolation, _ section: String) {
        #expect(violation.section == section)
        #expect(violation.reason.hasSuffix("."))
        #expect(violation.description == "\(violation.reason) (\(section))")
    }

    @Test
    func `no two rules have the same reason`() {
        #expect(Set(Self.all.map(\.0.reason)).count == Self.all.count)
    }
}
