// SPDX-License-Identifier: Apache-2.0

import TernCompression
import Testing

@Suite("Violations")
struct ViolationTests {
    static let ofContent: [(ContentViolation, String)] = [
        (.corrupt(message: "invalid code"), "RFC 9110 §8.4.1"),
        (.truncated, "RFC 9110 §8.4.1"),
        (.trailingData, "RFC 1952 §2.2"),
        (.needsDictionary, "RFC 1950 §2.2"),
        (.tooLong(limit: 4711), "RFC 9110 §17.5"),
        (.ratioExceeded(limit: 4711), "RFC 9110 §17.5"),
        (.outOfMemory, "RFC 1951 §2"),
    ]
    static let ofInflation: [(InflateViolation, String)] = [
        (.corrupt(message: "invalid code"), "RFC 1951 §3.2"),
        (.needsDictionary, "RFC 1950 §2.2"),
        (.outOfMemory, "RFC 1951 §2"),
    ]

    @Test(arguments: ofContent)
    func `a violation of content names its section and says what is wrong`(
        _ violation: ContentViolation,
        _ section: String
    ) {
        #expect(violation.section == section)
        #expect(violation.reason.hasSuffix(".") && violation.reason.count > 20)
        #expect(violation.description == "\(violation.reason) (\(section))")
    }

    @Test(arguments: ofInflation)
    func `a violation of inflation names its section and says what is wrong`(
        _ violation: InflateViolation,
        _ section: String
    ) {
        #expect(violation.section == section)
        #expect(violation.reason.hasSuffix(".") && violation.reason.count > 20)
        #expect(violation.description == "\(violation.reason) (\(section))")
    }

    @Test
    func `a reason names the limit or zlib's message`() {
        #expect(ContentViolation.tooLong(limit: 4711).reason.contains("4711"))
        #expect(ContentViolation.ratioExceeded(limit: 4711).reason.contains("4711"))
        #expect(ContentViolation.corrupt(message: "invalid code").reason.contains("invalid code"))
        #expect(InflateViolation.corrupt(message: "invalid code").reason.contains("invalid code"))
        #expect(Set(Self.ofContent.map(\.0.reason)).count == Self.ofContent.count)
    }

    @Test
    func `a failure says what is wrong`() {
        let failures: [CompressionError] = [
            .levelOutOfRange(10), .windowBitsOutOfRange(8), .memoryLevelOutOfRange(0), .outOfMemory,
            .incompatibleLibrary,
        ]
        #expect(Set(failures.map(\.description)).count == failures.count)
        #expect(failures.allSatisfy { $0.description.hasSuffix(".") && $0.description == $0.reason })
    }
}
