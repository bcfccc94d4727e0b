// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

/// What every command that makes an HTTP call understands.
struct CallOptions: ParsableArguments, Sendable {
    @Argument(help: "An http or https URL; without a scheme it is https, or http on loopback.")
    var url: String

    @Option(name: [.customShort("X"), .customLong("request"), .long], help: "Use this method.")
    var method: MethodArgument?

    @Option(
        name: [.customShort("m"), .customLong("max-time"), .long],
        help: ArgumentHelp("End the whole call after this time; no limit by default.", valueName: "seconds")
    )
    var timeout: SecondsArgument?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Ask for these bytes only, such as 0-99, 100- or -50.", valueName: "range")
    )
    var range: String?

    @Flag(help: "Ask for compressed content and decompress it, which is done anyway.")
    var compressed = false

    @Option(help: ArgumentHelp("Accept a body up to this length, such as 64M.", valueName: "bytes"))
    var maxFilesize: ByteCountArgument?

    @OptionGroup(title: "Trying again") var retry: RetryOptions

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup(title: "Reporting") var reporting: ReportOptions

    /// A Boolean value that indicates whether progress stays hidden.
    var isQuiet: Bool { self.reporting.isQuiet }
    /// A Boolean value that indicates whether the report is for machines.
    var json: Bool { self.reporting.json }

    func validate() throws {
        let allowed = "0123456789-, "
        if let range, range.isEmpty || !range.allSatisfy({ allowed.contains($0) }) {
            throw ValidationError("--range takes numbers of bytes, such as 0-99, 100- or -50.")
        }
    }

    /// The method that was typed, or else the command's.
    func method(or method: HTTPRequest.Method) -> HTTPRequest.Method { self.method?.method ?? method }

    /// Asks for what is missing, and makes a client and a request.
    ///
    /// - Parameters:
    ///   - method: what the command uses unless it is told otherwise.
    ///   - content: What is sent. Defaults to nothing.
    ///   - delegate: accompanies the call.
    ///   - input: Reads the files that are sent. Defaults to the system's.
    /// - Returns: the client, and a request, whose problem, if it has one, the client will tell.
    /// - Throws: `CommandFailure` if the user cannot be asked, or what was typed cannot be used.
    func prepare(
        _ method: HTTPRequest.Method,
        _ content: ContentOptions? = nil,
        _ delegate: CommandDelegate,
        _ input: some ContentInput = SystemInput()
    ) async throws(CommandFailure) -> (client: Client, request: Request) {
        let policy = self.retry.policy
        let target = TypedURL(self.url)
        if let note = target.note, !self.isQuiet, !self.json { System.tell(TerminalText.note(note)) }
        delegate.tellsRetries(policy != nil && !self.isQuiet && !self.json)
        delegate.allowsRetries(self.retry.retry ?? 0)
        let isSending = content?.hasBody == true
        let (client, request) = try await self.connection.prepare(
            self.method(or: isSending && method == .get ? .post : method),
            target.text,
            timeout: self.timeout,
            delegate,
            interceptors: policy.map { [Resumption(policy: $0, delegate: delegate)] } ?? []
        )
        return (client, try await self.completed(request, content, input))
    }

    /// The request with its body and its options.
    func completed(
        _ request: Request,
        _ content: ContentOptions?,
        _ input: some ContentInput
    ) async throws(CommandFailure) -> Request {
        var request = request
        if let content { request = try await content.applied(to: request, input) }
        // A field that is typed stands for the body's type; one without a value sends none.
        if try self.connection.fields().contains(where: { $0.name == .contentType }) {
            request.body?.contentType = nil
        }
        if let range { request = request.header(.range, "bytes=\(range.filter { $0 != " " })") }
        if self.compressed { request.options.decodesContent = true }
        if let maxFilesize { request.options.maximumBodyByteCount = maxFilesize.byteCount }
        if let policy = self.retry.policy { request = request.retry(policy) }
        return request
    }

    /// Tells what was agreed on when TLS was established, if that was asked for, and where the response came from, if there
    /// is a cache.
    ///
    /// With `--report json` the report tells, and standard error may be for machines.
    func tellTLS(_ response: Response) {
        guard !self.json else { return }
        if !self.isQuiet, let line = self.connection.caching.line(on: response) { System.tell(line) }
        guard self.connection.tls.tlsInfo else { return }
        System.tell(response.tls.map { TLSText.lines(on: $0) } ?? "* no TLS\n")
    }

    /// Ends a call whose body is longer than `--max-filesize` allows.
    ///
    /// - Parameter byteCount: How long the body is, or is at least; `nil` if that is not known.
    /// - Throws: `CommandFailure` if that is too long.
    func checkLength(_ byteCount: Int64?) throws(CommandFailure) {
        guard let maxFilesize, let byteCount, byteCount > maxFilesize.byteCount else { return }
        throw CommandFailure(outcome: .tooLong, message: "the body is longer than --max-filesize allows")
    }
}
