// SPDX-License-Identifier: Apache-2.0

import Testing

@_spi(CrossModuleInlining) @testable import TernFields

@Suite("ByteView")
struct ByteViewTests {
    private static func view<Result>(_ bytes: [UInt8], _ body: (ByteView) -> Result) -> Result {
        bytes.withUnsafeBytes { body(ByteView($0)) }
    }

    private static func view<Result>(_ text: String, _ body: (ByteView) -> Result) -> Result {
        Self.view(Array(text.utf8), body)
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `token bytes are those of RFC 9110 §5.6.2`(_ byte: UInt8) {
        let tokens = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8
        #expect(ByteView.isTokenByte(byte) == tokens.contains(byte))
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `text ends at any control character but the tab, wherever it stands`(_ byte: UInt8) {
        let endsText = (byte < 0x20 && byte != 0x09) || byte == 0x7F
        for position in 0..<20 {
            var bytes = [UInt8](repeating: 0xC3, count: 20)
            bytes[position] = byte
            #expect(Self.view(bytes) { $0.endOfText(from: 0, to: 20) } == (endsText ? position : 20))
            #expect(Self.view(bytes) { $0.endOfText(from: position, to: position) } == position)
        }
    }

    @Test
    func `the first of two control characters ends a text`() {
        for first in 0..<16 {
            for second in first..<16 {
                var bytes = [UInt8](repeating: 0x20, count: 16)
                (bytes[first], bytes[second]) = (0x00, 0x00)
                #expect(Self.view(bytes) { $0.endOfText(from: 0, to: 16) } == first)
            }
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `visible ASCII leaves out blanks, controls and the upper half`(_ byte: UInt8) {
        let isVisible = (0x21...0x7E).contains(byte)
        for position in 0..<20 {
            var bytes = [UInt8](repeating: 0x61, count: 20)
            bytes[position] = byte
            #expect(Self.view(bytes) { $0.endOfVisibleASCII(from: 0, to: 20) } == (isVisible ? 20 : position))
        }
    }

    @Test
    func `one byte of the upper half is enough not to be ASCII`() {
        for position in 0..<20 {
            var bytes = [UInt8](repeating: 0x7F, count: 20)
            #expect(Self.view(bytes) { $0.isASCII(0..<20) })
            bytes[position] = 0x80
            #expect(!Self.view(bytes) { $0.isASCII(0..<20) })
            #expect(Self.view(bytes) { $0.isASCII(0..<position) })
            #expect(Self.view(bytes) { $0.isASCII(position + 1..<20) })
        }
    }

    @Test
    func `any byte can be looked for`() {
        for byte in UInt8.min...UInt8.max {
            var bytes = [UInt8](repeating: byte ^ 1, count: 20)
            (bytes[9], bytes[15]) = (byte, byte)
            #expect(Self.view(bytes) { $0.first(byte, from: 0, to: 20) } == 9)
            #expect(Self.view(bytes) { $0.first(byte, from: 10, to: 20) } == 15)
            #expect(Self.view(bytes) { $0.first(byte, from: 16, to: 20) } == nil)
        }
    }

    @Test
    func `the first LF is found wherever it stands`() {
        for position in 0..<24 {
            var bytes = [UInt8](repeating: 0x0B, count: 24)
            bytes[position] = 0x0A
            #expect(Self.view(bytes) { $0.firstLineFeed(from: 0, to: 24) } == position)
            #expect(Self.view(bytes) { $0.firstLineFeed(from: position, to: 24) } == position)
            #expect(Self.view(bytes) { $0.firstLineFeed(from: position + 1, to: 24) } == nil)
            #expect(Self.view(bytes) { $0.firstLineFeed(from: 0, to: position) } == nil)
        }
    }

    @Test
    func `nothing is found in nothing`() {
        Self.view([]) { view in
            #expect(view.count == 0)
            #expect(view.firstLineFeed(from: 0, to: 0) == nil)
            #expect(view.endOfText(from: 0, to: 0) == 0)
            #expect(view.endOfToken(from: 0, to: 0) == 0)
            #expect(view.trimmed(0..<0) == 0..<0)
            #expect(view.hasPrefix("HTTP/", to: 0))
        }
    }

    @Test(arguments: [
        ("", 0..<0), ("a", 0..<1), (" a", 1..<2), ("a ", 0..<1), ("\t a b \t", 2..<5), ("  ", 2..<2), ("\t", 1..<1),
    ])
    func `blanks are trimmed at both ends`(_ text: String, _ expected: Range<Int>) {
        #expect(Self.view(text) { $0.trimmed(0..<$0.count) } == expected)
    }

    @Test(arguments: ["content-length", "Content-Length", "CONTENT-LENGTH", "cOnTeNt-LeNgTh"])
    func `names match without regard to case`(_ text: String) {
        #expect(Self.view(text) { $0.matches("content-length", 0..<$0.count) })
    }

    @Test(arguments: [
        "", "content-lengt", "content-lengthx", "content_length", "Kontent-length", "content-lengtH\0",
        "content length",
    ])
    func `other names do not match`(_ text: String) {
        #expect(!Self.view(text) { $0.matches("content-length", 0..<$0.count) })
    }

    @Test
    func `no token byte but a letter's other case is taken for another`() {
        for byte in UInt8.min...UInt8.max where ByteView.isTokenByte(byte) {
            let isMatch = Self.view([byte, 0x2D]) { $0.matches("a-", 0..<2) }
            #expect(isMatch == (byte == UInt8(ascii: "a") || byte == UInt8(ascii: "A")), "byte \(byte)")
            let isHyphen = Self.view([0x61, byte]) { $0.matches("a-", 0..<2) }
            #expect(isHyphen == (byte == UInt8(ascii: "-")), "byte \(byte)")
        }
    }

    @Test(arguments: [
        ("HTTP/1.1", true), ("HTTP/", true), ("HTT", true), ("", true), ("http/", false), ("HTTQ", false), ("X", false),
    ])
    func `a prefix may be incomplete, but not another`(_ text: String, _ expected: Bool) {
        #expect(Self.view(text) { $0.hasPrefix("HTTP/", to: $0.count) } == expected)
    }

    @Test
    func `parts are where they are said to be`() {
        Self.view("name: value") { view in
            #expect(view.string(0..<4) == "name")
            #expect(view.copy(6..<11) == Array("value".utf8))
            #expect(view.part(4..<6).elementsEqual(": ".utf8))
            #expect(view.dropFirst(6).string(0..<5) == "value")
            #expect(view[4] == UInt8(ascii: ":"))
        }
    }

    @Test(arguments: 0..<40)
    func `bytes equal others of the same length with the same bytes`(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        func equal(_ others: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { one in others.withUnsafeBytes { ByteView(one).equals($0) } }
        }
        #expect(equal(bytes))
        #expect(!equal(bytes + [0]))
        for place in bytes.indices {
            var others = bytes
            others[place] ^= 1
            #expect(!equal(others))
            #expect(!equal(Array(bytes[..<place])))
        }
    }
}
