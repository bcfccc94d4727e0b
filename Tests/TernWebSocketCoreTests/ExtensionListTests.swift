// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernWebSocketCore

@Suite("ExtensionList")
struct ExtensionListTests {
    typealias Element = ExtensionList.Element

    static let lists: [(String, [Element])] = [
        ("a", [.init(name: "a")]),
        ("a,b", [.init(name: "a"), .init(name: "b")]),
        (" a\t, b ", [.init(name: "a"), .init(name: "b")]),
        (",a,,b,", [.init(name: "a"), .init(name: "b")]),
        ("a;b", [.init(name: "a", parameters: [.init(name: "b")])]),
        ("a;b=c", [.init(name: "a", parameters: [.init(name: "b", value: "c")])]),
        ("a ; b = c ; d", [.init(name: "a", parameters: [.init(name: "b", value: "c"), .init(name: "d")])]),
        ("a;b=\"c\"", [.init(name: "a", parameters: [.init(name: "b", value: "c")])]),
        ("a;b=\"\\c\\1\"", [.init(name: "a", parameters: [.init(name: "b", value: "c1")])]),
        ("a;b;b", [.init(name: "a", parameters: [.init(name: "b"), .init(name: "b")])]),
        (
            "a;b=c, d;e",
            [
                .init(name: "a", parameters: [.init(name: "b", value: "c")]),
                .init(name: "d", parameters: [.init(name: "e")]),
            ]
        ),
    ]

    @Test(arguments: lists)
    func `a list is taken apart`(_ text: String, _ elements: [Element]) {
        #expect(ExtensionList(text)?.elements == elements)
    }

    @Test(arguments: [
        "", " ", ",", ";", "=", "a;", "a;;b", "a b", "a;b c", "a;b=", "a;=c", "a=b", "a;b=\"", "a;b=\"c", "a;b=\"\\",
        "a;b=\"\\\"",
        "a;b=\"c\"d", "a;b=\"c d\"", "a;b=\"c,d\"", "ä", "a;ä", "a\0", "a;b=c=d", "a;b=\"\"", "\"a\"",
    ])
    func `what is no list is refused`(_ text: String) { #expect(ExtensionList(text) == nil) }

    @Test
    func `tokens are those of RFC 9110 §5_6_2`() {
        let allowed = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        #expect(Set((UInt8.min...UInt8.max).filter(Token.isAllowed)) == allowed)
    }

    @Test
    func `blanks are trimmed, and nothing else`() {
        #expect(Token.trimmed(" \t a b\t ") == "a b")
        #expect(Token.trimmed(" \t ") == "")
        #expect(Token.trimmed("\u{A0}a\r\n") == "\u{A0}a\r\n")
    }
}
