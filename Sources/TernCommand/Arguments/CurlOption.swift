// SPDX-License-Identifier: Apache-2.0

/// An option of curl that no command declares: its meaning in `tern-cli`, or what to use instead.
struct CurlOption: Equatable, Sendable {
    enum Meaning: Equatable, Sendable {
        /// These words replace the option; `%` at the end of a word stands for the option's value.
        case words([String])
        case refused(String)
    }

    let option: CommandGrammar.Option
    let meaning: Meaning

    static func named(_ name: String) -> CurlOption? { Self.byName[name] }

    static func of(_ letter: Character) -> CurlOption? { Self.byLetter[letter] }

    func words(_ value: String?) throws(CommandFailure) -> [String] {
        switch self.meaning {
        case .words(let words):
            return words.map { word in word.hasSuffix("%") ? "\(word.dropLast())\(value ?? "")" : word }
        case .refused(let advice):
            throw CommandFailure(outcome: .usage, message: "--\(self.option.name) is not supported: \(advice)")
        }
    }

    static let all = Self.table.flatMap { meaning, names in
        names.split { $0 == " " || $0 == "\n" }.map { CurlOption(option: .init($0), meaning: meaning) }
    }
    private static let byName = Dictionary(Self.all.map { ($0.option.name, $0) }) { first, _ in first }
    private static let byLetter = Dictionary(
        Self.all.compactMap { curl in curl.option.letter.map { ($0, curl) } }
    ) { first, _ in first }
}
