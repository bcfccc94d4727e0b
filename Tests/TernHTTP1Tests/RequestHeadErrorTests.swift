// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import Testing

@Suite("RequestHeadError")
struct RequestHeadViolationTests {
    static let all: [(RequestHeadError, String)] = [
        (.invalidMethod, "RFC 9112 §3.1"),
        (.invalidTarget, "RFC 9112 §3.2"),
        (.invalidHost, "RFC 9112 §3.2"),
        (.repeatedHost, "RFC 9112 §3.2"),
        (.framingField, "RFC 9112 §6"),
        (.negativeBodyLength, "RFC 9110 §8.6"),
    ]

    @Test(arguments: all)
    func `a violation names its section and says what is wrong`(_ violation: RequestHeadError, _ section: String) {
        #expect(violation.section == section)
        #expect(violation.reason.hasSuffix("."))
        #expect(violation.description == "\(violation.reason) (\(section))")
    }

    @Test
    func `no two rules have the same reason`() {
        #expect(Set(Self.all.map(\.0.reason)).count == Self.all.count)
    }
}
