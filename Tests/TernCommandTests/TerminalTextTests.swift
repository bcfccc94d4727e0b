// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("Text on a terminal")
struct TerminalTextTests {
    @Test func `what would command the terminal is replaced`() {
        #expect(
            TerminalText.sanitized("a\u{1B}]0;x\u{7}b\u{9B}c\rd\u{7F}")
                == "a\u{FFFD}]0;x\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}"
        )
        #expect(TerminalText.sanitized("a\n\tb 犬 é") == "a\n\tb 犬 é")
    }

    @Test(arguments: [
        "\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{E0041}",  // format: turn around, or hide
        "\u{2028}", "\u{2029}",  // separators of lines and of paragraphs
    ])
    func `what would show text in another order, or hide it, is replaced`(_ scalar: String) {
        #expect(TerminalText.sanitized("a\(scalar)b") == "a\u{FFFD}b")
        #expect(TerminalText.note("a\(scalar)b") == "tern-cli: a\u{FFFD}b\n")
    }

    @Test(arguments: ["👩\u{200D}👧", "❤\u{FE0F}", "é", "עברית", "\u{A0}", "\u{3000}"])
    func `emoji and the letters of other languages stay`(_ text: String) {
        #expect(TerminalText.sanitized(text) == text)
    }

    @Test(arguments: [
        ("a", 3, "a  ", "  a"), ("abc", 3, "abc", "abc"), ("abcd", 3, "abcd", "abcd"), ("é", 2, "é ", " é"),
    ])
    func `text is padded to a width`(_ text: String, _ width: Int, _ left: String, _ right: String) {
        #expect(text.padding(to: width) == left)
        #expect(text.padding(to: width, isRight: true) == right)
    }

    @Test func `the end of a line is shown, as far as there are columns`() {
        #expect(TerminalText.tail(of: "abcdef", width: 3) == "def")
        #expect(TerminalText.tail(of: "abc", width: 3) == "abc")
        #expect(TerminalText.tail(of: "a犬b", width: 3) == "犬b")
        #expect(TerminalText.tail(of: "a犬b", width: 2) == "b")
        #expect(TerminalText.tail(of: "a\tb", width: 9) == "a b")
        #expect(TerminalText.tail(of: "abc", width: -1).isEmpty)
    }
}
