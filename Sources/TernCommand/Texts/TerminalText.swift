// SPDX-License-Identifier: Apache-2.0

/// Text that is safe to show on a terminal.
enum TerminalText {
    /// Returns text with U+FFFD in place of each character that controls the terminal or reorders the text.
    ///
    /// Line breaks and tabs stay.
    static func sanitized(_ text: String) -> String {
        let isHarmful: (Unicode.Scalar) -> Bool = { $0 != "\n" && $0 != "\t" && Self.isHarmful($0) }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 }))
    }

    /// Returns the line that shows a message of the program, with control characters replaced.
    ///
    /// - Parameter message: The message, a sentence.
    /// - Returns: A line.
    static func note(_ message: String) -> String { "tern-cli: \(Self.sanitized(message))\n" }

    /// Returns whether a character controls the terminal, breaks the line, or changes how other characters are shown.
    ///
    /// Characters of the category "format" reverse text or hide it.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Sequences of emoji need these two characters.
        case .format: scalar != "\u{200D}" && scalar != "\u{FE0F}"
        default: false
        }
    }

    /// Returns as much of the end of a line as fits into one row of the terminal.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - width: The number of columns.
    /// - Returns: The last characters of the line, together no wider than `width`; tabs become spaces.
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

    /// Returns the number of columns of a character: two for an East Asian character or an emoji, otherwise one.
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
    /// Returns the text, filled with spaces up to a width.
    ///
    /// A wider text is unchanged.
    ///
    /// - Parameters:
    ///   - width: The width, in characters.
    ///   - isRight: Whether to put the spaces before the text. Defaults to `false`.
    /// - Returns: The text and the spaces.
    func padding(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - self.count))
        return isRight ? spaces + self : self + spaces
    }
}
