// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import Testing

@Suite("HTTP1Violation")
struct HTTP1ViolationTests {
    static let all: [(HTTP1Violation, String)] = [
        (.malformedStatusLine, "RFC 9112 §4"),
        (.unsupportedVersion, "RFC 9112 §2.3"),
        (.invalidStatusCode, "RFC 9112 §4"),
        (.bareLineFeed, "RFC 9112 §2.2"),
        (.bareCarriageReturn, "RFC 9112 §2.2"),
        (.whitespaceBeforeFields, "RFC 9112 §2.2"),
        (.missingColon, "RFC 9112 §5"),
        (.invalidFieldName, "RFC 9112 §5.1"),
        (.whitespaceBeforeColon, "RFC 9112 §5.1"),
        (.foldedFieldLine, "RFC 9112 §5.2"),
        (.controlCharacterInFieldValue, "RFC 9110 §5.5"),
        (.invalidContentLength, "RFC 9112 §6.3"),
        (.conflictingContentLengths, "RFC 9112 §6.3"),
        (.repeatedChunkedCoding, "RFC 9112 §6.1"),
        (.invalidChunkSize, "RFC 9112 §7.1"),
        (.chunkSizeTooLarge, "RFC 9112 §7.1"),
        (.invalidChunkExtension, "RFC 9112 §7.1.1"),
        (.missingChunkTerminator, "RFC 9112 §7.1"),
        (.headTooLong(limit: 1), "RFC 9110 §5.4"),
        (.tooManyFields(limit: 1), "RFC 9110 §5.4"),
        (.chunkLineTooLong(limit: 1), "RFC 9112 §7.1.1"),
        (.excessiveChunkFraming(limit: 1), "RFC 9112 §7.1.1"),
        (.trailersTooLong(limit: 1), "RFC 9110 §5.4"),
        (.tooManyInformationalResponses(limit: 1), "RFC 9110 §15.2"),
        (.unexpectedUpgrade, "RFC 9110 §15.2.2"),
        (.upgradeInHTTP10, "RFC 9110 §7.8"),
        (.closedBeforeResponse, "RFC 9112 §9.3.1"),
        (.truncatedHead, "RFC 9112 §8"),
        (.truncatedBody(received: 1, expected: 2), "RFC 9112 §8"),
        (.truncatedChunkedBody, "RFC 9112 §8"),
    ]

    @Test(arguments: all)
    func `a violation names its section and says what is wrong`(_ violation: HTTP1Violation, _ section: String) {
        #expect(violation.section == section)
        #expect(violation.reason.hasSuffix("."))
        #expect(violation.reason.count > 20)
        #expect(violation.description == "\(violation.reason) (\(section))")
    }

    @Test
    func `no two rules have the same reason`() {
        #expect(Set(Self.all.map(\.0.reason)).count == Self.all.count)
        #expect(Set(Self.all.map(\.0)).count == Self.all.count)
    }

    @Test
    func `a reason names the limit or the counts`() {
        #expect(HTTP1Violation.headTooLong(limit: 4711).reason.contains("4711"))
        #expect(HTTP1Violation.tooManyFields(limit: 4711).reason.contains("4711"))
        #expect(HTTP1Violation.chunkLineTooLong(limit: 4711).reason.contains("4711"))
        #expect(HTTP1Violation.excessiveChunkFraming(limit: 4711).reason.contains("4711"))
        #expect(HTTP1Violation.trailersTooLong(limit: 4711).reason.contains("4711"))
        #expect(HTTP1Violation.tooManyInformationalResponses(limit: 4711).reason.contains("4711"))
        let truncated = HTTP1Violation.truncatedBody(received: 42, expected: 4711).reason
        #expect(truncated.contains("42") && truncated.contains("4711"))
    }

    @Test
    func `a violation is small enough to be thrown cheaply`() {
        #expect(MemoryLayout<HTTP1Violation>.size <= 17)
    }
}
