// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("A line that is typed")
struct LineEditorTests {
    /// Keys that are pressed, with the expected events and the expected output.
    static let sessions: [(keys: String, events: [LineEditor.Event], text: String)] = [
        ("hi\n", [.line("hi")], ""),
        ("one\rtwo\nthree", [.line("one"), .line("two")], "three"),
        ("\n", [.line("")], ""),
        ("wörld 犬 🐕\n", [.line("wörld 犬 🐕")], ""),
        ("ab\u{7F}c\n", [.line("ac")], ""),
        ("\u{7F}\u{8}a", [], "a"),
        ("🐕‍🦺\u{7F}x", [], "x"),
        ("all gone\u{15}new", [], "new"),
        ("two words  \u{17}x", [], "two x"),
        ("\u{4}", [.end], ""),
        ("a\u{4}b", [], "ab"),
        ("a\u{1B}[Cb\u{1B}OCc\u{1B}[1;5Dd\u{1B}xe", [], "abcde"),
        ("a\u{1}\u{0}b", [], "ab"),
        ("tab\there", [], "tab\there"),
        ("one\ntwo\n\u{1B}[A\u{1B}[A", [.line("one"), .line("two")], "one"),
        ("one\ntwo\n\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[B", [.line("one"), .line("two")], "two"),
        ("one\ndraft\u{1B}[A!\u{1B}[B", [.line("one")], "draft"),
        ("one\n\u{1B}[A\n\u{1B}[A\u{1B}[A", [.line("one"), .line("one")], "one"),
    ]

    @Test(arguments: Self.sessions)
    func `keys become text and lines`(keys: String, events: [LineEditor.Event], text: String) {
        var editor = LineEditor()
        #expect(keys.utf8.compactMap { editor.type($0) } == events)
        #expect(editor.text == text)
    }

    @Test func `bytes that are no characters are left out`() {
        var editor = LineEditor()
        for byte in [0x61, 0xFF, 0x80, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0x62] as [UInt8] { _ = editor.type(byte) }
        #expect(editor.text == "ab")
    }
}
