// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import Testing

@Suite("HandshakeViolation")
struct HandshakeViolationTests {
    static let all: [(HandshakeViolation, String)] = [
        (.notSwitched(status: 403), "RFC 6455 §4.1"),
        (.missingUpgrade, "RFC 6455 §4.1"),
        (.wrongUpgrade, "RFC 6455 §4.1"),
        (.missingConnection, "RFC 6455 §4.1"),
        (.wrongConnection, "RFC 6455 §4.1"),
        (.missingAccept, "RFC 6455 §4.1"),
        (.repeatedAccept, "RFC 6455 §11.3.3"),
        (.wrongAccept, "RFC 6455 §4.1"),
        (.unknownSubprotocol, "RFC 6455 §4.1"),
        (.repeatedSubprotocol, "RFC 6455 §11.3.4"),
        (.malformedExtensions, "RFC 6455 §9.1"),
        (.unknownExtension, "RFC 6455 §4.1"),
        (.repeatedExtension, "RFC 7692 §5"),
        (.unknownParameter, "RFC 7692 §7.1"),
        (.repeatedParameter("server_max_window_bits"), "RFC 7692 §7.1"),
        (.badParameter("server_max_window_bits"), "RFC 7692 §7.1.2"),
        (.badParameter("client_no_context_takeover"), "RFC 7692 §7.1.1"),
        (.ignoredParameter("server_no_context_takeover"), "RFC 7692 §7.1.1"),
    ]

    @Test(arguments: all)
    func `a violation names its section and says what is wrong`(_ violation: HandshakeViolation, _ section: String) {
        #expect(violation.section == section)
        #expect(violation.reason.hasSuffix("."))
        #expect(violation.reason.count > 20)
        #expect(violation.description == "\(violation.reason) (\(section))")
    }

    @Test
    func `no two rules have the same reason`() {
        #expect(Set(Self.all.map(\.0.reason)).count == Self.all.count)
    }
}
