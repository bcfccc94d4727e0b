// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernAuthentication

@Suite("FieldText")
struct FieldTextTests {
    private static let letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let all = UInt8.min...UInt8.max

    @Test
    func `the sets of characters are those of the grammar`() {
        #expect(Set(Self.all.filter(FieldText.isTokenByte)) == Set("!#$%&'*+-.^_`|~\(Self.letters)".utf8))
        #expect(Set(Self.all.filter(FieldText.isToken68Byte)) == Set("-._~+/\(Self.letters)".utf8))
        #expect(Set(Self.all.filter { !FieldText.isQuotableByte($0) }) == Set([0...8, 10...31, 127...127].joined()))
    }

    @Test(arguments: [
        ("a", true), ("a=", true), ("a-._~+/0==", true), ("", false), ("=", false), ("a=b", false), ("a b", false),
        ("ä", false),
    ])
    func `token68`(_ text: String, _ isToken68: Bool) { #expect(FieldText.isToken68(text) == isToken68) }

    @Test(arguments: [("", #""""#), ("a", #""a""#), (#"a"b\"#, #""a\"b\\""#), ("ä😀", "\"ä😀\"")])
    func `quotes and backslashes are escaped`(_ text: String, _ quoted: String) {
        #expect(FieldText.quoted(text) == quoted)
    }

    @Test
    func `only ASCII has case`() {
        #expect(FieldText.lowercased("AZaz09[@`{") == "azaz09[@`{")
        #expect(FieldText.lowercased("\u{212A}Ä") == "\u{212A}Ä")
    }

    @Test
    func `texts are the same or not`() {
        #expect(FieldText.isSame("", ""))
        #expect(FieldText.isSame("abc", "abc"))
        #expect(!FieldText.isSame("abc", "abd"))
        #expect(!FieldText.isSame("abc", "Abc"))
        #expect(!FieldText.isSame("abc", "abcd"))
    }
}
