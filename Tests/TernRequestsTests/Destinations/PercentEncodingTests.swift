// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernRequests

@Suite("RFC 3986 §2.1: percent-encoding")
struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("azAZ09-._~", "azAZ09-._~"), (" ", "%20"), ("%", "%25"), ("a/b", "a%2Fb"),
        ("?#[]@:", "%3F%23%5B%5D%40%3A"),
        ("!$&'()*+,;=", "%21%24%26%27%28%29%2A%2B%2C%3B%3D"), ("ü", "%C3%BC"), ("🐦", "%F0%9F%90%A6"),
        ("\r\n\0", "%0D%0A%00"), ("\u{7F}", "%7F"), ("%20", "%2520"), ("\"<>\\^`{|}", "%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ])
    func `a component keeps unreserved characters only`(text: String, expected: String) {
        #expect(PercentEncoding.encode(text) == expected)
    }

    @Test(arguments: [
        ("", ""), ("a b", "a+b"), ("a+b", "a%2Bb"), ("*-._", "*-._"), ("~", "%7E"), ("a=b&c", "a%3Db%26c"),
        ("ü", "%C3%BC"),
        ("\r\n", "%0D%0A"), ("100%", "100%25"),
    ])
    func `a form has its own rule`(text: String, expected: String) {
        #expect(PercentEncoding.encode(text, as: .form) == expected)
    }

    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("%41", "A"), ("%C3%BC", "ü"), ("%c3%bc", "ü"), ("a%2Fb", "a/b"), ("+", "+"),
        ("%", "%"),
        ("%4", "%4"), ("%zz", "%zz"), ("%4z%41", "%4zA"), ("%%41", "%A"), ("%2541", "%41"), ("%00", "\0"),
        ("%FF", "\u{FFFD}"),
    ])
    func `decoding keeps what is not an encoded byte`(text: String, expected: String) {
        #expect(PercentEncoding.decode(ContiguousArray(text.utf8).span) == expected)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what is encoded is decoded to itself`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let scalars = (0..<10).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &generator)) }
            let text = String(String.UnicodeScalarView(scalars))
            let encoded = PercentEncoding.encode(text)
            #expect(encoded.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "%") })
            #expect(PercentEncoding.decode(ContiguousArray(encoded.utf8).span).unicodeScalars.elementsEqual(scalars))
        }
    }

    @Test func `appending leaves what is there`() {
        var text = "a="
        PercentEncoding.append("b c", to: &text, as: .component)
        #expect(text == "a=b%20c")
    }
}
