// SPDX-License-Identifier: Apache-2.0

/// The words of a command line, rewritten from curl's grammar (`-sSL`, `-XPOST`) into that of the argument parser: long names,
/// values after an equals sign, and `get` in front if no command was typed.
struct CommandArguments: Sendable {
    static let defaultCommand = "get"
    /// The hidden option into which `-d`, `--json`, `-F` and similar options are rewritten, so that their values keep their
    /// order.
    static let contentOption = "content-item"

    /// The maximum number of operations of a command.
    ///
    /// This keeps a file with nothing but `next` from filling the memory.
    static let maximumOperationCount = 10_000

    private(set) var operations = [OperationArguments()]
    /// The name of the command; `nil` if the words ask for something else, such as the version.
    let command: String?

    private let grammar: CommandGrammar
    private let files: any ConfigurationInput
    /// The last words of each option that is for all operations.
    private var globalWords: [(name: String, words: [String], operation: Int)] = []
    private var operands: [String] = []
    private var sentURL = false
    private var place: String?
    private var depth = 0
    private(set) var hasReadStandardInput = false

    var words: [String] { self.words(of: 0) }

    /// Rewrites the words after the name of the program; messages of failures never contain values of options.
    init(_ typed: [String], files: some ConfigurationInput = SystemConfigurationInput()) throws(CommandFailure) {
        self.files = files
        let command = typed.first.flatMap { Self.isCommand($0) ? $0 : nil }
        guard !typed.isEmpty, command.map({ CommandGrammar.commands[$0] != nil }) ?? true,
            let grammar = CommandGrammar.commands[command ?? Self.defaultCommand]
        else {
            self.grammar = CommandGrammar()
            self.command = nil
            self.operation.add(typed)
            return
        }
        self.grammar = grammar
        if command == nil, let words = Self.general(typed) {
            self.command = nil
            self.operation.add(words)
            return
        }
        self.command = command ?? Self.defaultCommand
        try self.read(typed.dropFirst(command == nil ? 0 : 1))
        if self.makesTransfers || command == "events" { try self.checkSentText() }
        if self.makesTransfers { try self.check() }
    }

    var makesTransfers: Bool { self.command == Self.defaultCommand }

    private var operation: OperationArguments {
        get { self.operations[self.operations.count - 1] }
        // A setter would copy the operation for each of its words.
        _modify { yield &self.operations[self.operations.count - 1] }
    }

    /// As in curl, some options are for all operations, whatever the operation is in which they were typed.
    func words(of index: Int) -> [String] {
        let global = self.globalWords.filter { $0.operation != index }.flatMap(\.words)
        return (self.command.map { [$0] } ?? []) + self.operations[index].words(adding: global)
    }

    private static func isCommand(_ word: String) -> Bool {
        CommandGrammar.commands[word] != nil || word == "demo" || word == "help"
    }

    /// Returns the words for the parser if the first word asks for help, the version or a completion script.
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

    private func checkSentText() throws(CommandFailure) {
        guard self.operands.isEmpty, self.sentURL else { return }
        throw Self.failure(
            "there is no URL: --json takes the JSON to send, as in curl; use --report json for a report as JSON"
        )
    }

    /// Checks the operands of `get`, because the parser's messages about them would not help.
    private func check() throws(CommandFailure) {
        if self.operations.count > 1, self.operation.urlCount == 0 {
            throw Self.failure("there is no URL after the last --next")
        }
        guard self.operands.count > 1, let first = self.operands.first else { return }
        guard !Self.isCommand(first) else { throw Self.failure("'\(first)' is a command and must come first") }
        guard first.contains(where: { ":./".contains($0) }) || first == "localhost" else {
            throw Self.failure("'\(TerminalText.sanitized(first))' is not a command; see 'tern-cli --help'")
        }
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
                if !self.makesTransfers { self.operation.add(["--"]) }
                for operand in rest { self.add(operand: operand) }
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
        if self.makesTransfers { self.operation.add(url: operand) } else { self.operation.add([operand]) }
    }

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
            self.remove(option)
        } else if let commands = Self.commands(with: name) {
            throw Self.failure(name == "json" ? Self.jsonAdvice : "--\(name) is only an option of \(commands)")
        } else {
            try self.add(unknown: word, "--\(name)", OptionSuggestion.name(for: name, among: self.grammar.allNames))
        }
    }

    /// The message about a line of a file does not repeat the line, which may be the second half of a secret value.
    private mutating func add(unknown word: String, _ name: String, _ meant: String?) throws(CommandFailure) {
        if self.place != nil, name == "--http" || name == "--https" {
            throw Self.failure("a URL needs the option 'url' before it")
        }
        let typed = self.place == nil ? TerminalText.sanitized(name) : "this"
        if let meant { throw Self.failure("\(typed) is not an option; did you mean --\(meant)?") }
        guard self.place == nil else { throw Self.failure("this is not an option") }
        self.operation.add([word])  // the parser reports the unknown option
    }

    /// Reads combined letters, the last of which may have a value: `-sSLo file`, `-XPOST`.
    private mutating func read(letters word: String, _ rest: inout ArraySlice<String>) throws(CommandFailure) {
        var letters = word.unicodeScalars.dropFirst()
        while let scalar = letters.popFirst() {
            let letter = Character(scalar)
            let curl = self.grammar.option(of: letter) == nil ? CurlOption.of(letter) : nil
            guard let option = self.grammar.option(of: letter) ?? curl?.option else {
                if let name = Self.name(of: letter),
                    let commands = Self.commands(where: { $0.option(of: letter) != nil })
                {
                    throw Self.failure("-\(letter) (--\(name)) is only an option of \(commands)")
                }
                try self.add(unknown: "-\(letter)", "-\(letter)", nil)
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
        let words = try curl.words(try Self.value(of: curl.option, attached, &rest))
        for word in words {
            let name = String(word.dropFirst(2).prefix { $0 != "=" })
            guard self.grammar.option(named: name) == nil, let commands = Self.commands(with: name) else { continue }
            throw Self.failure("--\(curl.option.name) (--\(name)) is only an option of \(commands)")
        }
        for word in words {
            let scalars = word.unicodeScalars.dropFirst(2)
            let name = String(scalars.prefix { $0 != "=" })
            guard let option = self.grammar.option(named: name) else { continue }
            try self.add(option, option.takesValue ? String(scalars.dropFirst(name.unicodeScalars.count + 1)) : nil)
        }
    }

    private mutating func add(_ option: CommandGrammar.Option, _ value: String?) throws(CommandFailure) {
        if option.name == "url", let value { return self.add(operand: value) }
        if self.makesTransfers, try self.addToTransfer(option, value) { return }
        guard let value else { return self.add(["--\(option.name)"], option) }
        if let kind = ContentArgument.Kind(option: option.name) {
            if kind == .json, value.hasPrefix("http://") || value.hasPrefix("https://") { self.sentURL = true }
            self.add(["--\(Self.contentOption)=\(kind.rawValue):\(value)"], option)
        } else {
            self.add(TransferArgument.words(option.name, value), option)
        }
    }

    private mutating func add(_ words: [String], _ option: CommandGrammar.Option) {
        self.operation.add(words, from: self.place)
        guard self.makesTransfers, CommandGrammar.globalNames.contains(option.name) else { return }
        self.globalWords.removeAll { $0.name == option.name }
        self.globalWords.append((option.name, words, self.operations.count - 1))
    }

    private mutating func addToTransfer(
        _ option: CommandGrammar.Option,
        _ value: String?
    ) throws(CommandFailure) -> Bool {
        switch (option.name, value) {
        case ("output", let value?): self.operation.add(output: .file(value))
        case ("remote-name", _): self.operation.add(output: .remoteName)
        case ("remote-name-all", _): self.operation.namesFilesAfterURLs = true
        case ("upload-file", let value?): self.operation.add(uploadFile: value)
        case ("config", let path?): try self.read(configuration: path)
        case ("next", _):
            guard self.operation.urlCount > 0 else { throw Self.failure("there is no URL before --next") }
            guard self.operations.count < Self.maximumOperationCount else {
                throw Self.failure("--next may be typed \(Self.maximumOperationCount - 1) times")
            }
            self.operations.append(OperationArguments())
        default: return false
        }
        return true
    }

    /// As in curl, the last occurrence of a flag wins.
    private mutating func remove(_ option: CommandGrammar.Option) {
        switch option.name {
        case "remote-name" where self.makesTransfers: self.operation.add(output: .standardOutput)
        case "remote-name-all" where self.makesTransfers: self.operation.namesFilesAfterURLs = false
        default:
            let isGlobal = self.makesTransfers && CommandGrammar.globalNames.contains(option.name)
            guard isGlobal else { return self.operation.remove(flag: option.name) }
            for index in self.operations.indices { self.operations[index].remove(flag: option.name) }
            self.globalWords.removeAll { $0.name == option.name }
        }
    }

    // MARK: Configuration files

    private mutating func read(configuration path: String) throws(CommandFailure) {
        let name = path == "-" ? "standard input" : TerminalText.sanitized(path)
        guard self.depth < ConfigurationFile.maximumDepth else {
            throw Self.failure("more than \(ConfigurationFile.maximumDepth) configuration files name each other")
        }
        if path == "-" {
            guard !self.hasReadStandardInput else { throw Self.failure("standard input can be read only once") }
            self.hasReadStandardInput = true
        }
        let file: ConfigurationFile
        let bytes = try self.files.bytes(ofConfiguration: path, called: name)
        do throws(ConfigurationFile.Problem) {
            file = try ConfigurationFile(parsing: bytes)
        } catch {
            throw Self.failure("\(name):\(error.line): \(error.reason)")
        }
        let outer = self.place
        self.depth += 1
        for line in file.lines {
            let place = "\(name):\(line.number)"
            self.place = place
            do throws(CommandFailure) {
                try self.read(line)
            } catch {
                throw CommandFailure(outcome: error.outcome, message: "\(place): \(error.message)")
            }
        }
        self.depth -= 1
        self.place = outer
    }

    private mutating func read(_ line: ConfigurationFile.Line) throws(CommandFailure) {
        var rest = (line.value.map { [$0] } ?? [])[...]
        if line.option.hasPrefix("--") {
            try self.read(long: line.option, &rest)
        } else {
            try self.read(letters: line.option, &rest)
        }
        guard rest.isEmpty else { throw Self.failure("the option takes no value") }
    }

    // MARK: Other commands

    private static let jsonAdvice = """
        --json takes the JSON to send, as in curl, and is an option of get, download, lines and events; use --report \
        json for a report as JSON
        """

    private static func commands(with name: String) -> String? {
        self.commands { $0.option(named: name) != nil }
    }

    private static func commands(where isFitting: (CommandGrammar) -> Bool) -> String? {
        let names = CommandGrammar.commands.filter { isFitting($0.value) }.keys.filter { $0 != "ws" }
        return names.isEmpty ? nil : names.sorted().map { "'tern-cli \($0)'" }.joined(separator: ", ")
    }

    private static func name(of letter: Character) -> String? {
        CommandGrammar.commands.values.lazy.compactMap { $0.option(of: letter)?.name }.first
    }
}
