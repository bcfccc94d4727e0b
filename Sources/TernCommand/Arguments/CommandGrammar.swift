// SPDX-License-Identifier: Apache-2.0

/// The options of a command, which `CommandArguments` needs before the parser runs, to split the words as curl does.
struct CommandGrammar: Equatable, Sendable {
    struct Option: Equatable, Sendable {
        let name: String
        let letter: Character?
        let takesValue: Bool

        /// Parses `data`, `data=` if it takes a value, or `d:data=` if it also has a letter, which may be a colon.
        init(_ text: Substring) {
            let hasLetter = text.utf8.dropFirst().first == UInt8(ascii: ":")
            let name = hasLetter ? text.dropFirst(2) : text
            self.letter = hasLetter ? text.first : nil
            self.takesValue = name.hasSuffix("=")
            self.name = String(self.takesValue ? name.dropLast() : name)
        }
    }

    let options: [String: Option]
    private let letters: [Character: Option]

    init(_ lists: String...) {
        let all = lists.flatMap { $0.split { $0 == " " || $0 == "\n" } }.map { Option($0) }
        self.options = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        self.letters = Dictionary(all.compactMap { option in option.letter.map { ($0, option) } }) { first, _ in first }
    }

    func option(named name: String) -> Option? { self.options[name] }

    /// The long names of all options, and then those of curl that no command declares.
    var allNames: [String] { self.options.keys.sorted() + CurlOption.all.map(\.option.name) }

    func option(of letter: Character) -> Option? { self.letters[letter] }
}
