// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import Testing

@Suite("ContentRange: RFC 9110 §14.4")
struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 42-1233/1234", .part(42..<1234, completeLength: 1234)),
            ("bytes 42-1233/*", .part(42..<1234, completeLength: nil)),
            ("bytes */1234", .unsatisfied(completeLength: 1234)),
            ("bytes 0-0/1", .part(0..<1, completeLength: 1)),
            ("bytes */0", .unsatisfied(completeLength: 0)),
            ("BYTES 0-499/1234", .part(0..<500, completeLength: 1234)),
            ("bytes 00-0499/01234", .part(0..<500, completeLength: 1234)),
            (
                "bytes 0-9223372036854775806/9223372036854775807",
                .part(0..<9_223_372_036_854_775_807, completeLength: 9_223_372_036_854_775_807)
            ),
            (
                "bytes 9223372036854775806-9223372036854775806/*",
                .part(9_223_372_036_854_775_806..<9_223_372_036_854_775_807, completeLength: nil)
            ),
        ] as [(String, ContentRange)]
    )
    func `a valid value is read`(_ text: String, _ expected: ContentRange) {
        #expect(ContentRange(text) == expected)
        #expect(ContentRange([.contentRange: text]) == expected)
    }

    @Test(
        arguments: [
            "", "bytes", "bytes ", "bytes 1-2", "bytes 1-2/", "bytes /3", "bytes -2/3", "bytes 1-/3", "bytes 1/3",
            "bytes */*", "bytes *", "bytes */", "bytes 1-2/3/4", "bytes 1-2-3/4", "bytes=1-2/3", "bytes  1-2/3",
            "bytes 1-2/3 ", " bytes 1-2/3", "bytes 1 -2/3", "bytes\t1-2/3", "bytes 1-2/ 3", "items 1-2/3", "1-2/3",
            // The last position before the first, and a complete length that does not contain the last position.
            "bytes 5-4/10", "bytes 0-9/9", "bytes 0-9/0", "bytes 10-19/15",
            // Signs, other digits, other numbers.
            "bytes +1-2/3", "bytes 1-+2/3", "bytes 1-2/+3", "bytes -1-2/3", "bytes 0x1-2/3", "bytes 1.0-2/3",
            "bytes 1-2/-3", "bytes */-1", "bytes １-2/3", "bytes 1-2/٣",
            // Numbers that do not fit, also by one.
            "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775807/9223372036854775808",
            "bytes 9223372036854775808-9223372036854775809/*", "bytes */9223372036854775808",
            "bytes 18446744073709551616-18446744073709551617/18446744073709551618",
            // Several values.
            "bytes 0-1/4, bytes 2-3/4", "bytes 0-1/4,2-3/4",
        ]
    )
    func `another value is refused`(_ text: String) { #expect(ContentRange(text) == nil) }

    @Test func `there must be exactly one field`() {
        #expect(ContentRange([:] as HTTPFields) == nil)
        var fields: HTTPFields = [.contentRange: "bytes 0-1/4"]
        fields.append(HTTPField(name: .contentRange, value: "bytes 0-1/4"))
        #expect(ContentRange(fields) == nil)
    }
}
