// SPDX-License-Identifier: Apache-2.0

/// An option of curl's that is not declared here: what it means, or what to use in its place.
struct CurlOption: Equatable, Sendable {
    /// The effect of typing it.
    enum Meaning: Equatable, Sendable {
        /// These words take its place; `%` stands for its value. No words: what it asks for is done anyway.
        case words([String])
        /// It is refused, with a sentence that says what to use.
        case refused(String)
    }

    /// Its name, its letter, and whether it takes a value.
    let option: CommandGrammar.Option
    /// The effect of typing it.
    let meaning: Meaning

    /// The option with a long name; `nil` if curl has none, or if it is declared here.
    static func named(_ name: String) -> CurlOption? { Self.byName[name] }

    /// The option with a letter; `nil` if curl has none, or if it is declared here.
    static func of(_ letter: Character) -> CurlOption? { Self.byLetter[letter] }

    /// The words for it.
    ///
    /// - Parameter value: Its value; `nil` if it takes none.
    /// - Returns: Words in the parser's grammar.
    /// - Throws: `CommandFailure` if it is refused.
    func words(_ value: String?) throws(CommandFailure) -> [String] {
        switch self.meaning {
        case .words(let words):
            return words.map { word in word.hasSuffix("%") ? "\(word.dropLast())\(value ?? "")" : word }
        case .refused(let advice):
            throw CommandFailure(outcome: .usage, message: "--\(self.option.name) is not supported: \(advice)")
        }
    }

    /// All of them.
    static let all = Self.table.flatMap { meaning, names in
        names.split { $0 == " " || $0 == "\n" }.map { CurlOption(option: .init($0), meaning: meaning) }
    }
    private static let byName = Dictionary(Self.all.map { ($0.option.name, $0) }) { first, _ in first }
    private static let byLetter = Dictionary(
        Self.all.compactMap { curl in curl.option.letter.map { ($0, curl) } }
    ) { first, _ in first }
}
