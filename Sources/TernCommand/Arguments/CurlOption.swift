// SPDX-License-Identifier: Apache-2.0

/// An option of curl that no command declares: its meaning in `tern-cli`, or what to use instead.
struct CurlOption: Equatable, Sendable {
    /// The effect of typing the option.
    enum Meaning: Equatable, Sendable {
        /// These words replace the option; `%` stands for its value. With an empty list, the option has no effect.
        case words([String])
        /// The option is rejected, with a sentence that names an alternative.
        case refused(String)
    }

    /// The option's name, its letter, and whether it takes a value.
    let option: CommandGrammar.Option
    /// The effect of typing the option.
    let meaning: Meaning

    /// Returns the option with a long name; `nil` if curl does not have it, or if a command declares it.
    static func named(_ name: String) -> CurlOption? { Self.byName[name] }

    /// Returns the option with a letter; `nil` if curl does not have it, or if a command declares it.
    static func of(_ letter: Character) -> CurlOption? { Self.byLetter[letter] }

    /// Returns the words that replace the option.
    ///
    /// - Parameter value: The value; `nil` if the option takes no value.
    /// - Returns: Words in the parser's grammar.
    /// - Throws: `CommandFailure` if the option is not supported.
    func words(_ value: String?) throws(CommandFailure) -> [String] {
        switch self.meaning {
        case .words(let words):
            return words.map { word in word.hasSuffix("%") ? "\(word.dropLast())\(value ?? "")" : word }
        case .refused(let advice):
            throw CommandFailure(outcome: .usage, message: "--\(self.option.name) is not supported: \(advice)")
        }
    }

    /// All options of the table.
    static let all = Self.table.flatMap { meaning, names in
        names.split { $0 == " " || $0 == "\n" }.map { CurlOption(option: .init($0), meaning: meaning) }
    }
    private static let byName = Dictionary(Self.all.map { ($0.option.name, $0) }) { first, _ in first }
    private static let byLetter = Dictionary(
        Self.all.compactMap { curl in curl.option.letter.map { ($0, curl) } }
    ) { first, _ in first }
}
