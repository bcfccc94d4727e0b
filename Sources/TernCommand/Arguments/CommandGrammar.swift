// SPDX-License-Identifier: Apache-2.0

/// The options of a command: their names, their letters, and whether they take a value.
///
/// The argument parser has its own declarations of these options. `CommandArguments` needs this table before the parser
/// runs, to split the words of the command line as curl does.
struct CommandGrammar: Equatable, Sendable {
    /// One option.
    struct Option: Equatable, Sendable {
        /// The long name, without dashes.
        let name: String
        /// The letter, as in `-d`; `nil` if the option has no letter.
        let letter: Character?
        /// A Boolean value that indicates whether a value follows.
        let takesValue: Bool

        /// Parses an option: `data`, or `data=` if it takes a value, or `d:data=` if it also has a letter, which may be a
        /// colon.
        init(_ text: Substring) {
            let hasLetter = text.utf8.dropFirst().first == UInt8(ascii: ":")
            let name = hasLetter ? text.dropFirst(2) : text
            self.letter = hasLetter ? text.first : nil
            self.takesValue = name.hasSuffix("=")
            self.name = String(self.takesValue ? name.dropLast() : name)
        }
    }

    /// The options by long name.
    let options: [String: Option]
    private let letters: [Character: Option]

    /// Creates a grammar from lists of options.
    ///
    /// Spaces or line breaks separate the options of a list; ``Option/init(_:)`` describes the form of an option.
    init(_ lists: String...) {
        let all = lists.flatMap { $0.split { $0 == " " || $0 == "\n" } }.map { Option($0) }
        self.options = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        self.letters = Dictionary(all.compactMap { option in option.letter.map { ($0, option) } }) { first, _ in first }
    }

    /// Returns the option that has this long name; `nil` if there is none.
    func option(named name: String) -> Option? { self.options[name] }

    /// The long names of all options, and then those of curl that no command declares.
    var allNames: [String] { self.options.keys.sorted() + CurlOption.all.map(\.option.name) }

    /// Returns the option that has this letter; `nil` if there is none.
    func option(of letter: Character) -> Option? { self.letters[letter] }
}
