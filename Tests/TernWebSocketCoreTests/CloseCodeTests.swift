// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import Testing

@Suite("CloseCode")
struct CloseCodeTests {
    @Test
    func `what may be on the wire is what RFC 6455 §7.4 and the registry say`() {
        let valid = (UInt16.min...UInt16.max).filter { CloseCode(rawValue: $0).isValidOnWire }
        let expected: [UInt16] = Array(1000...1003) + Array(1007...1014) + Array(3000...4999)
        #expect(valid == expected)
    }

    static let registered: [(CloseCode, UInt16)] = [
        (.normalClosure, 1000), (.goingAway, 1001), (.protocolError, 1002), (.unsupportedData, 1003),
        (.noStatusReceived, 1005), (.abnormalClosure, 1006), (.invalidPayloadData, 1007), (.policyViolation, 1008),
        (.messageTooBig, 1009), (.mandatoryExtension, 1010), (.internalError, 1011), (.serviceRestart, 1012),
        (.tryAgainLater, 1013), (.badGateway, 1014), (.tlsHandshakeFailure, 1015), (.unauthorized, 3000),
        (.forbidden, 3003), (.timeout, 3008),
    ]

    @Test(arguments: registered)
    func `the names are those of the registry`(_ code: CloseCode, _ number: UInt16) {
        #expect(code.rawValue == number)
        #expect(code == CloseCode(rawValue: number))
        #expect(code.description == "\(number)")
    }
}
