// SPDX-License-Identifier: Apache-2.0

/// The words of a command line, rewritten from curl's grammar into the grammar of the argument parser.
///
/// curl allows letters to be combined (`-sSL`), a value to follow its letter (`-XPOST`), and a value to begin with a
/// dash (`-C -`). curl has no commands, and treats everything that is not an option as a URL. So this type writes each
/// option with its long name and its value after an equals sign, and puts `get` in front if no command was typed. It
/// rejects curl options that are not supported, and says what to use instead.
struct CommandArguments: Equatable, Sendable {
    /// The default command.
    static let defaultCommand = "get"
    /// The hidden option into which `-d`, `--json`, `-F` and similar options are rewritten, so that their values keep
    /// the order in which the user typed them.
    static let contentOption = "content-item"

    /// The words for the parser.
    private(set) var words: [String] = []

    private let grammar: CommandGrammar
    private var operands: [String] = []
    private var sentURL = false

    /// Rewrites a command line.
    ///
    /// - Parameter typed: The words after the name of the program.
    /// - Throws: `CommandFailure` if the command line is invalid, or if an option of curl is not supported; the message
    ///   then names an alternative. Messages never contain values of options.
    init(_ typed: [String]) throws(CommandFailure) {
        let command = typed.first.flatMap { Self.isCommand($0) ? $0 : nil }
        guard !typed.isEmpty, command.map({ CommandGrammar.commands[$0] != nil }) ?? true,
            let grammar = CommandGrammar.commands[command ?? Self.defaultCommand]
        else {
            self.grammar = CommandGrammar()
            self.words = typed
            return
        }
        self.grammar = grammar
        if command == nil, let words = Self.general(typed) {
            self.words = words
            return
        }
        try self.read(typed.dropFirst(command == nil ? 0 : 1))
        let isDefault = (command ?? Self.defaultCommand) == Self.defaultCommand
        if isDefault || command == "events" { try self.checkSentText() }
        if isDefault { try self.check() }
        self.words.insert(command ?? Self.defaultCommand, at: 0)
    }

    private static func isCommand(_ word: String) -> Bool {
        CommandGrammar.commands[word] != nil || word == "demo" || word == "help"
    }

    /// Returns the words for the parser if the first word asks for help, the version or a completion script; otherwise
    /// `nil`.
    private static func general(_ typed: [String]) -> [String]? {
        switch typed.first {
        case "-h", "--help": return ["--help"]
        case "-V", "--version": return ["--version"]
        case let first?
        where first.hasPrefix("--generate-completion-script") || first.hasPrefix("--experimental")
            || first.hasPrefix("---completion"):
            return typed
        default: return nil
        }
    }

    /// Checks that `--json` has not taken the URL as its value.
    private func checkSentText() throws(CommandFailure) {
        guard self.operands.isEmpty, self.sentURL else { return }
        throw Self.failure(
            "there is no URL: --json takes the JSON to send, as in curl; use --report json for a report as JSON"
        )
    }

    /// Checks the operands of `get`: the words that are not options.
    ///
    /// The parser's own messages about wrong operands would not help the user.
    private func check() throws(CommandFailure) {
        guard self.operands.count > 1, let first = self.operands.first else { return }
        guard !Self.isCommand(first) else { throw Self.failure("'\(first)' is a command and must come first") }
        guard first.contains(where: { ":./".contains($0) }) || first == "localhost" else {
            throw Self.failure("'\(TerminalText.sanitized(first))' is not a command; see 'tern-cli --help'")
        }
        throw Self.failure("give one URL, not \(self.operands.count); quote a URL that the shell may split")
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(outcome: .usage, message: message)
    }
}

// MARK: Reading

extension CommandArguments {
    private mutating func read(_ typed: ArraySlice<String>) throws(CommandFailure) {
        var rest = typed
        while let word = rest.popFirst() {
            if word == "--" {
                self.operands += rest
                self.words += ["--"] + rest
                return
            } else if word == "-" || word.utf8.first != UInt8(ascii: "-") {
                self.add(operand: word)
            } else if word.utf8.dropFirst().first == UInt8(ascii: "-") {
                try self.read(long: word, &rest)
            } else {
                try self.read(letters: word, &rest)
            }
        }
    }

    private mutating func add(operand: String) {
        self.operands.append(operand)
        self.words.append(operand)
    }

    /// Reads `--name`, `--name value` and `--name=value`.
    private mutating func read(long word: String, _ rest: inout ArraySlice<String>) throws(CommandFailure) {
        let scalars = word.unicodeScalars.dropFirst(2)
        let equals = scalars.firstIndex(of: "=")
        let name = String(scalars[..<(equals ?? scalars.endIndex)])
        let attached = equals.map { String(scalars[scalars.index(after: $0)...]) }
        if let option = self.grammar.option(named: name) {
            try self.add(option, try Self.value(of: option, attached, &rest))
        } else if let curl = CurlOption.named(name) {
            try self.add(curl, attached, &rest)
        } else if name.hasPrefix("no-"), let option = self.grammar.option(named: String(name.dropFirst(3))),
            !option.takesValue
        {
            // As in curl, the last occurrence wins: `--no-name` removes an earlier `--name`.
            self.words.removeAll { $0 == "--\(option.name)" }
        } else if let commands = Self.commands(with: name) {
            throw Self.failure(name == "json" ? Self.jsonAdvice : "--\(name) is only an option of \(commands)")
        } else {
            self.words.append(word)  // the parser reports the unknown option and suggests another
        }
    }

    /// Reads combined letters, the last of which may have a value: `-sSLo file`, `-XPOST`.
    private mutating func read(letters word: String, _ rest: inout ArraySlice<String>) throws(CommandFailure) {
        var letters = word.unicodeScalars.dropFirst()
        while let scalar = letters.popFirst() {
            let letter = Character(scalar)
            let curl = self.grammar.option(of: letter) == nil ? CurlOption.of(letter) : nil
            guard let option = self.grammar.option(of: letter) ?? curl?.option else {
                if let name = Self.name(of: letter), let commands = Self.commands(with: name) {
                    throw Self.failure("-\(letter) (--\(name)) is only an option of \(commands)")
                }
                self.words.append("-\(letter)")
                continue
            }
            var attached: String?
            if option.takesValue, !letters.isEmpty {
                attached = String(letters)
                letters = letters[letters.endIndex...]
            }
            if let curl {
                try self.add(curl, attached, &rest)
            } else {
                try self.add(option, try Self.value(of: option, attached, &rest))
            }
        }
    }

    private static func value(
        of option: CommandGrammar.Option,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) -> String? {
        guard option.takesValue else {
            guard attached == nil else { throw Self.failure("--\(option.name) takes no value") }
            return nil
        }
        guard let value = attached ?? rest.popFirst() else {
            let advice = option.name == "json" ? ": the JSON to send; use --report json for a report as JSON" : ""
            throw Self.failure("--\(option.name) needs a value\(advice)")
        }
        return value
    }

    private mutating func add(
        _ curl: CurlOption,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        if case .refused = curl.meaning { _ = try curl.words(nil) }
        self.words += try curl.words(try Self.value(of: curl.option, attached, &rest))
    }

    private mutating func add(_ option: CommandGrammar.Option, _ value: String?) throws(CommandFailure) {
        guard let value else {
            self.words.append("--\(option.name)")
            return
        }
        if option.name == "url" {
            self.add(operand: value)
        } else if let kind = ContentArgument.Kind(option: option.name) {
            if kind == .json, value.hasPrefix("http://") || value.hasPrefix("https://") { self.sentURL = true }
            self.words.append("--\(Self.contentOption)=\(kind.rawValue):\(value)")
        } else if "=\(value)".first == "=" {
            self.words.append("--\(option.name)=\(value)")
        } else {
            self.words += ["--\(option.name)", value]  // a combining mark would merge with "="
        }
    }

    // MARK: Other commands

    private static let jsonAdvice = """
        --json takes the JSON to send, as in curl, and is an option of get, download, lines and events; use --report \
        json for a report as JSON
        """

    /// Returns a list of the commands that have an option with this name; `nil` if no command has one.
    private static func commands(with name: String) -> String? {
        let names = CommandGrammar.commands.filter { $0.value.option(named: name) != nil }.keys.filter { $0 != "ws" }
        return names.isEmpty ? nil : names.sorted().map { "'tern-cli \($0)'" }.joined(separator: ", ")
    }

    private static func name(of letter: Character) -> String? {
        CommandGrammar.commands.values.lazy.compactMap { $0.option(of: letter)?.name }.first
    }
}
