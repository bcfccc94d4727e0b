// SPDX-License-Identifier: Apache-2.0

enum TerminalText {
    /// Puts U+FFFD in place of each harmful character; line breaks and tabs stay.
    static func sanitized(_ text: String) -> String {
        let isHarmful: (Unicode.Scalar) -> Bool = { $0 != "\n" && $0 != "\t" && Self.isHarmful($0) }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 }))
    }

    static func note(_ message: String) -> String { "tern-cli: \(Self.sanitized(message))\n" }

    /// Returns whether a character controls the terminal, breaks the line, or reverses or hides text (category "format").
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Sequences of emoji need these two characters.
        case .format: scalar != "\u{200D}" && scalar != "\u{FE0F}"
        default: false
        }
    }

    /// Returns the last characters that fit into a row; tabs become spaces.
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

    /// Two columns for an East Asian character or an emoji, otherwise one.
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
    func padding(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - self.count))
        return isRight ? spaces + self : self + spaces
    }
}
