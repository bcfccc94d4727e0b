// SPDX-License-Identifier: Apache-2.0

/// Text as a terminal shows it.
enum TerminalText {
    /// Text from outside, without what would command the terminal or show the text in another order; line
    /// breaks and tabs stay.
    static func harmless(_ text: String) -> String {
        let isHarmful: (Unicode.Scalar) -> Bool = { $0 != "\n" && $0 != "\t" && Self.isHarmful($0) }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 }))
    }

    /// What a command says in its own name; whatever it quotes is made harmless.
    ///
    /// - Parameter message: what to say, a sentence.
    /// - Returns: a line.
    static func note(_ message: String) -> String { "tern-cli: \(Self.harmless(message))\n" }

    /// Whether it commands the terminal, breaks the line, or changes how other characters are shown: those of the
    /// category "format" turn text around or hide it.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Emoji are put together with these two.
        case .format: scalar != "\u{200D}" && scalar != "\u{FE0F}"
        default: false
        }
    }

    /// The end of a line, as much of it as fits on one row of the terminal.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - width: how many columns there are.
    /// - Returns: the last characters, together no wider than that; tabs have become spaces.
    static func tail(of line: String, width: Int) -> String {
        var shown: [Character] = []
        var rest = width
        for character in line.reversed() {
            rest -= Self.width(of: character)
            guard rest >= 0 else { break }
            shown.append(character == "\t" ? " " : character)
        }
        return String(shown.reversed())
    }

    /// How many columns a character takes: two for those of East Asia and for emoji, else one.
    static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1
        }
    }
}

extension String {
    /// The text with spaces, to a width; unchanged if it is wider.
    ///
    /// - Parameters:
    ///   - width: how many characters there are to be.
    ///   - isRight: whether the text stands on the right, behind the spaces; not by default.
    /// - Returns: the text and the spaces.
    func padding(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - self.count))
        return isRight ? spaces + self : self + spaces
    }
}
