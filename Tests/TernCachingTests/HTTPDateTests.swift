// SPDX-License-Identifier: Apache-2.0
import TernCaching
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
    private static let example: Int64 = 784_111_777
    private static let now: Int64 = 1_790_000_000  // 2026

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994",
    ])
    func `all three forms are read`(text: String) {
        #expect(HTTPDate.seconds(text, now: Self.now) == Self.example)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
    ])
    func `the calendar is that of Gregory`(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text, now: Self.now) == seconds)
    }

    @Test(arguments: [(50, 2050), (76, 2076), (77, 1977), (94, 1994), (26, 2026), (0, 2000)])
    func `two digits mean the year that is nearest, not far ahead`(digits: Int, year: Int) {
        let short = "Sunday, 06-Nov-\(digits < 10 ? "0" : "")\(digits) 08:49:37 GMT"
        let long = "Sun, 06 Nov \(year) 08:49:37 GMT"
        #expect(HTTPDate.seconds(short, now: Self.now) == HTTPDate.seconds(long, now: Self.now))
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000", "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
        "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "1994-11-06T08:49:37Z",
        "784111777", "Sun, 06 Nov 19994 08:49:37 GMT", "Sun, ０6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT; x",
        "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    ])
    func `what is not exactly a date is none`(text: String) {
        #expect(HTTPDate.seconds(text, now: Self.now) == nil)
    }

    @Test(
        arguments: [
            0, -1, 784_111_777, 951_782_399, 951_782_400, 4_102_444_800, -62_167_219_200, 253_402_300_799,
            1_709_208_000,
        ] as [Int64]
    )
    func `what is written is read again`(seconds: Int64) {
        #expect(HTTPDate.seconds(HTTPDate.text(seconds), now: Self.now) == seconds)
    }

    @Test func `the form that is written`() {
        #expect(HTTPDate.text(Self.example) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.text(.min) == "Sat, 01 Jan 0000 00:00:00 GMT")
    }
}
