// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import Testing

@testable import TernCommand

@Suite("Conditions on the time of a resource")
struct TimeConditionTests {
    private static let now = HTTPDate(secondsSince1970: 1_800_000_000)

    private static func condition(_ text: String) -> TimeCondition? {
        TimeCondition(text, now: Self.now) { $0 == "file" ? 7 : nil }
    }

    static let dates: [(text: String, seconds: Int64)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("1994-11-06 08:49:37", 784_111_777), ("1994-11-06T08:49:37Z", 784_111_777), ("19941106", 784_080_000),
        ("6 Nov 1994", 784_080_000), ("Nov 6 1994", 784_080_000), ("1994/11/06", 784_080_000),
        ("06 november 1994 08:49", 784_111_740), ("Sun Nov  6 08:49:37 1994", 784_111_777), ("1970-01-01", 0),
        ("file", 7), ("+1970-01-01", 0),
    ]

    @Test(arguments: dates)
    func `a date has one of many forms, or is that of a file`(text: String, seconds: Int64) throws {
        let condition = try #require(Self.condition(text))
        #expect(condition.date.secondsSince1970 == seconds && !condition.wantsUnmodified)
        #expect(condition.field == .ifModifiedSince)
        let negated = try #require(Self.condition("-\(text.hasPrefix("+") ? String(text.dropFirst()) : text)"))
        #expect(negated.date == condition.date && negated.field == .ifUnmodifiedSince)
    }

    @Test(arguments: [
        "", "-", "2026", "28 Nov", "1994-13-06", "1994-02-30", "1994-11-06 25:00:00", "1994-11-06 1:2:3:4",
        "1994-11-06 :",
        "1994-11-06 +0200", "6 Nov 1994 6", "Nov Nov 1994", "yesterday", "none.txt", "19941106 1", "1994-11-0\u{664}",
    ])
    func `other text is no date`(text: String) {
        #expect(Self.condition(text) == nil)
    }

    @Test func `a response meets the condition by its status and its time`() throws {
        let newer = try #require(Self.condition("Sat, 28 Nov 2026 12:00:00 GMT"))
        let same = "Sat, 28 Nov 2026 12:00:00 GMT"
        let later = "Sat, 28 Nov 2026 12:00:01 GMT"
        #expect(newer.isMet(by: 200, lastModified: later, now: Self.now))
        #expect(!newer.isMet(by: 200, lastModified: same, now: Self.now))
        #expect(!newer.isMet(by: 304, lastModified: later, now: Self.now))
        for other in [nil, "soon"] { #expect(newer.isMet(by: 200, lastModified: other, now: Self.now)) }
        #expect(newer.isMet(by: 404, lastModified: same, now: Self.now))
        let older = try #require(Self.condition("-Sat, 28 Nov 2026 12:00:00 GMT"))
        #expect(!older.isMet(by: 200, lastModified: same, now: Self.now))
        #expect(older.isMet(by: 200, lastModified: "Sat, 28 Nov 2026 11:59:59 GMT", now: Self.now))
    }
}
