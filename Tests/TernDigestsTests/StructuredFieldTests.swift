// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernDigests
import Testing

@Suite("Structured fields: RFC 9651 §4.2")
struct StructuredFieldTests {
    private static func fields(_ lines: [String]) -> HTTPFields {
        HTTPFields(lines.map { HTTPField(name: .eTag, value: $0) })
    }

    private static func item(_ lines: String...) -> StructuredFieldItem? {
        StructuredFieldItem(.eTag, in: self.fields(lines))
    }

    private static func dictionary(_ lines: String...) -> [String: StructuredFieldItem?]? {
        StructuredFieldDictionary(.eTag, in: self.fields(lines))?.members
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("42", .integer(42)), ("-17", .integer(-17)),
            ("007", .integer(7)), ("999999999999999", .integer(999_999_999_999_999)), ("  5  ", .integer(5)),
            ("5;a;b=2;c=\"d\"", .integer(5)), ("5; a", .integer(5)), ("1.5", .decimal), ("?1", .boolean(true)),
            ("?0", .boolean(false)), ("?1;x", .boolean(true)), ("\"1\"", .string), ("true", .token), ("*a:/", .token),
            (":AQI=:", .byteSequence([1, 2])), ("@1659578233", .date), ("%\"f%c3%bc\"", .displayString),
        ] as [(String, StructuredFieldItem)]
    )
    func `an item has one value and parameters`(_ text: String, _ expected: StructuredFieldItem) {
        #expect(Self.item(text) == expected)
    }

    @Test(arguments: [
        "", " ", "+1", "1 2", "1,2", "1000000000000000", "1.", ".5", "1.2345", "1234567890123.1", "-", "--1", "1e3",
        "0x10",
        "?", "?2", "?true", "? 1", "1;", "1;A", "1;a=", "1 ;a", "\u{1F600}", "(1)", "\"a", ":A:", "@1.5", "1\u{a0}",
    ])
    func `other texts are not an item`(_ text: String) { #expect(Self.item(text) == nil) }

    @Test func `a field of several lines is not an item`() {
        #expect(Self.item("1", "1") == nil)
        #expect(Self.item() == nil)
    }

    @Test func `a dictionary has members of all types, and its last value counts`() {
        #expect(Self.dictionary("max-size=1000, min-size=0") == ["max-size": .integer(1000), "min-size": .integer(0)])
        #expect(Self.dictionary("a=1", "b, a=2;x=1") == ["a": .integer(2), "b": .boolean(true)])
        #expect(Self.dictionary("l=(1 \"b\";c ?0);d, m=()") == ["l": nil, "m": nil])
        #expect(Self.dictionary("a=1 \t,\t b=?0") == ["a": .integer(1), "b": .boolean(false)])
        #expect(Self.dictionary() == [:])
        #expect(Self.dictionary("") == [:])
    }

    @Test(arguments: [
        "a=", "A=1", "a=1,", "a=1,,b", "a=1 b=2", "1=a", "a=(1", "a=(1,2)", "a=(1\"b\")", "a==1", "=1", ";a",
    ])
    func `other texts are not a dictionary`(_ text: String) { #expect(Self.dictionary(text) == nil) }

    @Test func `a field that is too long, or has too many members, is not read`() {
        let members = (0..<StructuredFieldDictionary.maximumMemberCount).map { "a\($0)" }.joined(separator: ",")
        #expect(Self.dictionary(members)?.count == StructuredFieldDictionary.maximumMemberCount)
        #expect(Self.dictionary(members + ",z") == nil)
        #expect(Self.item("1;a=\"\(String(repeating: "b", count: 16 << 10))\"") == nil)
    }
}
