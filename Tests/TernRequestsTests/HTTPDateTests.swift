// SPDX-License-Identifier: Apache-2.0
import TernRequests
import Testing

@Suite("HTTPDate (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    private static let now = HTTPDate(secondsSince1970: 1_767_225_600)  // 2026-01-01

    @Test(
        "the parser reads the three forms of a date",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Sun Nov 06 08:49:37 1994", 784_111_777), ("Wednesday, 01-Jan-75 00:00:00 GMT", 3_313_526_400),
            ("Friday, 01-Jan-77 00:00:00 GMT", 220_924_800),
        ]
    )
    func forms(_ text: String, _ seconds: Int64) {
        #expect(HTTPDate(text, now: Self.now)?.secondsSince1970 == seconds)
    }

    @Test(
        "a year of two digits is at most 50 years in the future, to the second",
        arguments: [
            // The present is 2026-06-15 12:00:00, a Monday.
            ("Monday, 15-Jun-76 12:00:00 GMT", "Mon, 15 Jun 2076 12:00:00 GMT"),
            ("Monday, 15-Jun-76 11:59:59 GMT", "Mon, 15 Jun 2076 11:59:59 GMT"),
            ("Monday, 15-Jun-76 12:00:01 GMT", "Tue, 15 Jun 1976 12:00:01 GMT"),
            ("Monday, 16-Jun-76 00:00:00 GMT", "Wed, 16 Jun 1976 00:00:00 GMT"),
            ("Monday, 01-Jul-76 00:00:00 GMT", "Thu, 01 Jul 1976 00:00:00 GMT"),
            ("Monday, 31-May-76 23:59:59 GMT", "Sun, 31 May 2076 23:59:59 GMT"),
            ("Monday, 29-Feb-76 23:59:59 GMT", "Sat, 29 Feb 2076 23:59:59 GMT"),
            ("Monday, 31-Dec-75 23:59:59 GMT", "Tue, 31 Dec 2075 23:59:59 GMT"),
            ("Monday, 01-Jan-77 00:00:00 GMT", "Sat, 01 Jan 1977 00:00:00 GMT"),
            ("Monday, 15-Jun-26 12:00:00 GMT", "Mon, 15 Jun 2026 12:00:00 GMT"),
            ("Monday, 31-Dec-99 00:00:00 GMT", "Fri, 31 Dec 1999 00:00:00 GMT"),
        ]
    )
    func centuries(_ text: String, _ expected: String) {
        let now = HTTPDate(secondsSince1970: 1_781_524_800)
        #expect(now.description == "Mon, 15 Jun 2026 12:00:00 GMT")
        #expect(HTTPDate(text, now: now)?.description == expected)
    }

    @Test func `a year of two digits may be one of the next century`() {
        let now = HTTPDate(secondsSince1970: 3_813_724_800)
        #expect(now.description == "Tue, 07 Nov 2090 08:00:00 GMT")
        #expect(HTTPDate("Sunday, 06-Nov-10 08:49:37 GMT", now: now)?.description == "Thu, 06 Nov 2110 08:49:37 GMT")
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now)?.description == "Sat, 06 Nov 2094 08:49:37 GMT")
    }

    @Test(
        "the parser rejects all other texts",
        arguments: [
            "", " ", "0", "-1", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 gmt", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
            "Mon, 29 Feb 2100 00:00:00 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
            " Sun, 06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08-49-37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun, Nov  6 08:49:37 1994",
            "Noday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 +0000", "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
            "Sunday, 06 Nov 94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994 GMT", "Sun, 06 Nov 19994 08:49:37 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT; x",
            "Sun, ０6 Nov 1994 08:49:37 GMT",
            String(repeating: "Sun, 06 Nov 1994 08:49:37 GMT", count: 1000),
        ]
    )
    func wrong(_ text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test func `what is written is read as the same, on every day of 400 years and more`() throws {
        for day: Int64 in stride(from: -800_000, to: 2_900_000, by: 97) {
            let date = HTTPDate(secondsSince1970: day * 86_400 + Int64(day.magnitude % 86_400))
            guard date.secondsSince1970 >= -62_167_219_200 else { continue }
            try #require(HTTPDate(date.description, now: Self.now) == date)
        }
    }

    @Test func `what is written has the form that senders must use`() {
        #expect(HTTPDate(secondsSince1970: 784_111_777).description == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate(secondsSince1970: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate(secondsSince1970: .min).description == "Sat, 01 Jan 0000 00:00:00 GMT")
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func `a present that makes no sense does no harm`(_ seconds: Int64) {
        let now = HTTPDate(secondsSince1970: seconds)
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now) != nil)
    }

    @Test func `every part of a date, cut off or altered, does no harm`() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            for count in 0..<text.utf8.count { #expect(HTTPDate(String(text.prefix(count)), now: Self.now) == nil) }
            for index in text.utf8.indices {
                var bytes = Array(text.utf8)
                bytes[text.utf8.distance(from: text.startIndex, to: index)] = 0xFF
                #expect(HTTPDate(String(decoding: bytes, as: UTF8.self), now: Self.now) == nil)
            }
        }
    }
}
