// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation
import TestSupport
import Testing

@Suite("RFC 6265bis, dates")
struct CookieDateConformance {
    /// The time Sun, 06 Nov 1994 08:49:37 GMT, in seconds since 1970.
    private static let november = 784_111_777.0

    static let vectors: [Vector<Double?>] = [
        Vector("§5.1.1", "the date of RFC 9110", "Sun, 06 Nov 1994 08:49:37 GMT", november),
        Vector("§5.1.1", "the date of RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", november),
        Vector("§5.1.1", "the date of asctime", "Sun Nov  6 08:49:37 1994", november),
        Vector("§5.1.1", "any order", "1994 08:49:37 6 November", november),
        Vector("§5.1.1", "any delimiter", "\"6\"(Nov)~1994@08:49:37!", november),
        Vector("§5.1.1", "a colon is no delimiter", "6 Nov 1994 08:49:37:00", november),
        Vector("§5.1.1", "any case", "6 nOV 1994 08:49:37", november),
        Vector("§5.1.1", "a time with one digit each", "6 Nov 1994 8:4:7", november - 45 * 60 - 30),
        Vector("§5.1.1", "what follows a time", "6 Nov 1994 08:49:37pm", november),
        Vector("§5.1.1", "what follows a day", "6th Nov 1994 08:49:37", november),
        Vector("§5.1.1", "what follows a month", "6 Novembre 1994 08:49:37", november),
        Vector("§5.1.1", "what follows a year", "6 Nov 1994AD 08:49:37", november),
        Vector("§5.1.1", "a zone is ignored", "Sun, 06 Nov 1994 08:49:37 +0500", november),
        Vector("§5.1.1", "the first of two times", "6 Nov 1994 08:49:37 01:02:03", november),
        Vector("§5.1.1", "the first day, then the year", "06 94 Nov 08:49:37", november),
        Vector("§5.1.1", "a year from 70 to 99 is of the last century", "1 Jan 70 00:00:00", 0),
        Vector("§5.1.1", "a year up to 69 is of this one", "1 Jan 69 00:00:00", 3_124_224_000),
        Vector("§5.1.1", "the year 00", "1 Jan 00 00:00:00", 946_684_800),
        Vector("§5.1.1", "a leap day", "29 Feb 2000 00:00:00", 951_782_400),
        Vector("§5.1.1", "before 1970", "31 Dec 1969 23:59:59", -1),
        Vector("§5.1.1", "the year 1601 is the first", "1 Jan 1601 00:00:00", -11_644_473_600),
        Vector("§5.1.1", "before 1601", "31 Dec 1600 23:59:59", nil),
        Vector("§5.1.1", "a year of three digits is before 1601", "6 Nov 994 08:49:37", nil),
        Vector("§5.1.1", "a year of one digit is none", "16 Nov 4 08:49:37", nil),
        Vector("§5.1.1", "a year of five digits is none", "6 Nov 19944 08:49:37", nil),
        Vector("§5.1.1", "day 0", "0 Nov 1994 08:49:37", nil),
        Vector("§5.1.1", "day 32", "32 Nov 1994 08:49:37", nil),
        Vector("§5.1.1", "a day that the month does not have", "31 Nov 1994 08:49:37", nil),
        Vector("§5.1.1", "29 February of another year", "29 Feb 1900 00:00:00", nil),
        Vector("§5.1.1", "30 February", "30 Feb 2000 00:00:00", nil),
        Vector("§5.1.1", "hour 24", "6 Nov 1994 24:00:00", nil),
        Vector("§5.1.1", "minute 60", "6 Nov 1994 08:60:00", nil),
        Vector("§5.1.1", "second 60", "6 Nov 1994 08:49:60", nil),
        Vector("§5.1.1", "no time", "6 Nov 1994", nil),
        Vector("§5.1.1", "no seconds", "6 Nov 1994 08:49", nil),
        Vector("§5.1.1", "three digits in a time", "6 Nov 1994 008:49:37", nil),
        Vector("§5.1.1", "three digits of seconds", "6 Nov 1994 08:49:377", nil),
        Vector("§5.1.1", "no month", "6 1994 08:49:37", nil),
        Vector("§5.1.1", "a month in another language", "6 Mai 1994 08:49:37", nil),
        Vector("§5.1.1", "no day", "Nov 1994 08:49:37", nil),
        Vector("§5.1.1", "ISO 8601 has no month by name", "1994-11-06T08:49:37Z", nil),
        Vector("§5.1.1", "digits that are not ASCII", "６ Nov 1994 08:49:37", nil),
        Vector("§5.1.1", "nothing", "", nil),
        Vector("§5.1.1", "only delimiters", " ,;-/\t", nil),
        Vector("§5.1.1", "many digits", String(repeating: "9", count: 900), nil),
    ]

    @Test(arguments: vectors)
    func `5.1.1: dates`(_ vector: Vector<Double?>) throws {
        let field = try SetCookie(
            parsing: ContiguousArray(Array("a=b; Expires=".utf8) + vector.bytes.filter { $0 != 0x3B }).span
        )
        #expect(field.expires?.timeIntervalSince1970 == vector.expected)
    }

    @Test func `5.6.1: a date that cannot be read leaves an earlier one`() throws {
        let text = "a=b; Expires=6 Nov 1994 08:49:37; Expires=tomorrow"
        #expect(try SetCookie(parsing: ContiguousArray(text.utf8).span).expires?.timeIntervalSince1970 == Self.november)
    }
}
