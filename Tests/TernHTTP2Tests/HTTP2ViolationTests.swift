// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TernHTTP2

@Suite("HTTP2Violation")
struct HTTP2ViolationTests {
    private static let all: [HTTP2Violation] = [
        .frameTooLong, .wrongFrameLength(.ping), .wrongPriorityLength, .excessivePadding, .missingStream(.data),
        .unexpectedStream(.settings), .missingSettings, .answerInHTTP1, .interruptedFieldBlock, .unexpectedContinuation,
        .idleStream,
        .closedStream, .push, .priorityUpdate, .increasedLastStream, .invalidSetting(.enablePush),
        .invalidSetting(.enableConnectProtocol), .invalidSetting(.noRFC7540Priorities), .initialWindowTooLarge,
        .unexpectedAcknowledgement, .zeroIncrement, .zeroConnectionIncrement, .windowOverflow,
        .connectionWindowOverflow, .windowExceeded, .connectionWindowExceeded, .truncatedFieldBlock, .integerTooLarge,
        .invalidFieldIndex, .invalidHuffmanCode, .tableSizeUpdateTooLarge, .misplacedTableSizeUpdate,
        .invalidFieldName, .invalidFieldValue, .connectionSpecificField, .misplacedPseudoField, .repeatedPseudoField,
        .unknownPseudoField, .pseudoFieldInTrailers, .missingStatus, .invalidStatus, .unexpectedUpgrade,
        .endedByInterim, .tooManyInterims(limit: 1), .dataBeforeHead, .trailersWithoutEnd, .fieldsInTunnel,
        .invalidContentLength, .wrongContentLength, .unexpectedContent, .fieldListTooLong(limit: 1),
        .tooManyFields(limit: 1),
        .fieldListOverDecodingLimit(limit: 1), .tooManyContinuations(limit: 1), .flood(.ping),
    ]

    @Test(arguments: all)
    func `every rule has a section, a sentence and a code`(violation: HTTP2Violation) {
        #expect(violation.section.hasPrefix("RFC "))
        #expect(violation.reason.hasSuffix("."))
        #expect(violation.description == "\(violation.reason) (\(violation.section))")
        #expect(violation.code != .noError)
    }

    @Test
    func `a PRIORITY_UPDATE from a server is an error of the connection, of type PROTOCOL_ERROR (RFC 9218 §7.1)`() {
        #expect(HTTP2Violation.priorityUpdate.scope == .connection)
        #expect(HTTP2Violation.priorityUpdate.code == .protocolError)
    }

    @Test
    func `types and streams have names`() {

        #expect(FrameType.windowUpdate.description == "WINDOW_UPDATE")
        #expect(FrameType.origin.description == "12")
        #expect(HTTP2StreamID(rawValue: 0xFFFF_FFFF).description == "stream 2147483647")
        #expect(HTTP2StreamID.first.isClientInitiated && !HTTP2StreamID.connection.isClientInitiated)
    }
}
