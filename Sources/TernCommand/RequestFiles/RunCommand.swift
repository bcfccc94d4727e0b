// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation
import TernRequestFiles

struct RunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sends the requests of an .http file.",
        discussion: """
            The file has the format that code editors also understand: requests separated by ###, and variables as \
            {{name}}. All requests are sent in order until one fails, or only the one with the given --name. Each \
            variable is escaped for its place in the request, as in the code that the TernEndpoints plug-in generates \
            from the file. A request with an error is not sent, but the others are. Nothing is sent if a variable has \
            no value, if --name has a name that is not in the file, or if --var has a name that the requests to send \
            do not use. Many forms of other editors are read, most of them with a warning.

            Bodies go to standard output as they arrive. Each message of a WebSocket is printed on a line, and each \
            line of standard input is sent as a message. For "# @returns Events", each event is printed as 'tern-cli \
            events' prints it, and for "# @returns Values of", each value is a line. A body that the file takes from \
            another file, as in "< ./dog.jpg", is read from that file, or from the file that --var file=… names. The \
            request file can only name files in its own folder and its subfolders.

            EXAMPLES
              tern-cli run photos.http --list
              tern-cli run photos.http --name fetchPhoto --var id=3
              tern-cli run photos.http --name addPhoto --var title=Sea --var 'tags=["blue"]'
              tern-cli run photos.http --var baseURL=https://test.example.com --fail
            """
    )
    /// The variable whose value is the path of the file to send as the body.
    static let fileVariable = "file"

    @Argument(help: "An .http file.")
    var file: String

    @Option(help: "Send only the request with this name, or with this title after ###.")
    var name: String?

    @Option(
        name: .customLong("var"),
        help: ArgumentHelp("Give a variable this value; may be repeated.", valueName: "name=value")
    )
    var typedVariables: [String] = []

    @Flag(help: "List the requests of the file, and send nothing.")
    var list = false

    @OptionGroup var body: BodyOptions

    @Option(
        help: ArgumentHelp("Stop after this many messages of a WebSocket, events or values.", valueName: "count")
    )
    var limit: Int?

    @Option(
        name: [.customShort("m"), .customLong("max-time"), .long],
        help: ArgumentHelp("Limit the time of each call. No limit by default.", valueName: "seconds")
    )
    var timeout: SecondsArgument?

    @OptionGroup(title: "Retries") var retry: RetryOptions

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp("Report each result as text or as one line of JSON: text or json.", valueName: "form")
    )
    var report = ReportForm.text

    var json: Bool { self.report == .json }

    @Flag(help: "Show where the time went, on standard error at the end of each call.")
    var timing = false

    @Flag(name: .shortAndLong, help: "Print neither warnings nor the names of the requests, but show errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print no warnings, no names of requests and no errors.")
    var silent = false

    @Flag(name: [.customShort("S"), .long], help: "With --silent: show errors anyway.")
    var showError = false

    var hidesErrors: Bool { self.silent && !self.showError }
    var hidesWarnings: Bool { self.silent }
    private var isQuiet: Bool { self.quiet || self.silent || self.json }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        // Parse the values here: the argument parser would repeat the text in its message, and the text may contain a
        // secret.
        for (index, text) in self.typedVariables.enumerated() where VariableArgument(argument: text) == nil {
            throw ValidationError("Each --var must be name=value; number \(index + 1) is not.")
        }
    }

    var variables: [VariableArgument] { self.typedVariables.compactMap { VariableArgument(argument: $0) } }

    func run() async throws {
        let file = try self.read()
        let reporter = FileReporter(path: self.file, hidesErrors: self.hidesErrors, hidesWarnings: self.isQuiet)
        if self.list {
            let output = OutputWriter()
            try await output.whileRead { try await output.write(RequestFileList.text(file).utf8) }
            return try Self.exit(ifFalse: reporter.tell(all: file))
        }
        // An error in another request does not matter to the one with the name.
        let isComplete = try reporter.tell(file, for: self.name)
        let run: RequestFileRun
        do throws(CommandFailure) {
            let folder = URL(filePath: self.file).deletingLastPathComponent()
            run = try RequestFileRun(file, name: self.name, self.variables, folder: folder)
        } catch {
            throw self.exit(error)
        }
        let memory = ExchangeMemory(run.neededExchanges)
        for binding in run.bindings { try await self.send(binding, of: run, memory) }
        try Self.exit(ifFalse: isComplete)
    }

    private func send(_ binding: RequestBinding, of run: RequestFileRun, _ memory: ExchangeMemory) async throws {
        if run.bindings.count > 1, !self.isQuiet {
            let title = binding.definition.name ?? binding.definition.title ?? binding.definition.urlText
            System.tell("### \(TerminalText.sanitized(title))\n")
        }
        let resolved: RequestBinding
        do throws(CommandFailure) {
            resolved = try binding.resolved(by: ExpressionEvaluator(memory: memory, folder: run.folder))
        } catch {
            throw self.exit(error)
        }
        let outcome = try await self.conduct(resolved.address) { try await self.perform(resolved, $0, memory) }
        if outcome != .ok { throw ExitCode(outcome.exitCode) }
    }

    private func read() throws -> RequestFile {
        let bytes: Data
        do throws(CommandFailure) {
            bytes = try System.contents(ofFile: self.file)
        } catch {
            throw self.exit(error)
        }
        do throws(RequestFileFailure) {
            return try RequestFile(Array(bytes), for: .sending)
        } catch {
            let reporter = FileReporter(path: self.file, hidesErrors: self.hidesErrors, hidesWarnings: self.isQuiet)
            reporter.tell(error.diagnostics)
            throw ExitCode(Outcome.invalidRequest.exitCode)
        }
    }

    private func exit(_ failure: CommandFailure) -> ExitCode {
        if !self.hidesErrors { System.tell(TerminalText.note(failure.message)) }
        return ExitCode(failure.outcome.exitCode)
    }

    private static func exit(ifFalse isComplete: Bool) throws {
        if !isComplete { throw ExitCode(Outcome.invalidRequest.exitCode) }
    }
}

extension RunCommand {
    /// Sends one request, and keeps the exchange if a later request refers to it.
    func perform(
        _ binding: RequestBinding,
        _ delegate: CommandDelegate,
        _ memory: ExchangeMemory = ExchangeMemory([])
    ) async throws -> CallReport {
        let policy = self.retry.policy
        delegate.reportsRetries(policy != nil && !self.quiet && !self.json)
        var (client, request) = try await self.connection.prepare(.get, binding.server, timeout: self.timeout, delegate)
        try self.add(binding.request, to: &request)
        if let policy { request = request.retry(policy) }
        switch binding.definition.result {
        case .webSocket: return try await self.converse(request, client)
        case .events, .reconnectingEvents, .decodedEvents, .decodedRecords:
            return try await self.printer.print(binding.definition, request, client)
        case .data, .void, .lines, .value:
            let (bytes, response) = try await client.bytes(for: request)
            guard memory.needs(binding.definition) else { return try await self.body.print(bytes, response) }
            memory.begin(binding.definition, request, response.fields)
            return try await self.body.print(bytes, response, onChunk: { memory.append($0, to: binding.definition) })
        }
    }

    var printer: StreamPrinter {
        StreamPrinter(
            limit: self.limit,
            isJSON: self.json,
            isQuiet: self.quiet,
            includesHead: self.body.include,
            hidesBody: self.body.failing.fail
        )
    }

    /// The file determines the method, the URL and the body; a typed field replaces that of the file.
    private func add(_ given: Request, to request: inout Request) throws(CommandFailure) {
        if let problem = given.problem { throw CommandFailure(outcome: .invalidRequest, message: "\(problem)") }
        request.method = given.method
        request.url = given.url
        request.body = given.body
        if let redirects = given.options.redirects { request.options.redirects = redirects }
        let typed = try self.connection.fields()
        // The user's credential replaces the one of the file.
        let signsIn = self.connection.signIn.isTyped || typed.contains { $0.name == .authorization }
        if !signsIn, let credential = given.options.credential { request.options.credential = credential }
        for field in given.fields where !typed.contains(where: { $0.name == field.name }) {
            request.fields.append(field)
        }
    }

    private func converse(_ request: Request, _ client: Client) async throws -> CallReport {
        var options = WebSocketOptions()
        // Keep these times short: at the end of the input and at Ctrl-C, the user waits for the pong and the close.
        options.pongTimeout = .seconds(5)
        options.closeTimeout = .seconds(2)
        let socket = try await client.webSocket(for: request, options: options)
        let output = OutputWriter()
        let display = WebSocketDisplay(format: .lines, output: output, isQuiet: self.quiet)
        var plan = WebSocketSession.Plan(limit: self.limit)
        if self.limit != nil { plan.wait = .forever }
        let session = WebSocketSession(socket, display, plan)
        try await output.whileRead { try await session.run() }
        return CallReport(WebSocketClosing(socket), nil)
    }
}
