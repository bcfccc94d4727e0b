// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

/// The options of every command that makes an HTTP call.
struct CallOptions: ParsableArguments, Sendable {
    @Argument(help: "An http or https URL. Without a scheme: https, or http on loopback.")
    var url: String

    @Option(name: [.customShort("X"), .customLong("request"), .long], help: "Use this method.")
    var method: MethodArgument?

    @Option(
        name: [.customShort("m"), .customLong("max-time"), .long],
        help: ArgumentHelp("Limit the time of the whole call. No limit by default.", valueName: "seconds")
    )
    var timeout: SecondsArgument?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Request only these bytes, such as 0-99, 100- or -50.", valueName: "range")
    )
    var range: String?

    @Flag(help: "Request compressed content and decompress it. This is the default.")
    var compressed = false

    @Option(help: ArgumentHelp("Accept bodies up to this length, such as 64M.", valueName: "bytes"))
    var maxFilesize: ByteCountArgument?

    @OptionGroup(title: "Retries") var retry: RetryOptions

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup(title: "Reporting") var reporting: ReportOptions

    /// A Boolean value that indicates whether the command hides progress.
    var isQuiet: Bool { self.reporting.isQuiet }
    /// A Boolean value that indicates whether the report is JSON.
    var json: Bool { self.reporting.json }

    func validate() throws {
        let allowed = "0123456789-, "
        if let range, range.isEmpty || !range.allSatisfy({ allowed.contains($0) }) {
            throw ValidationError("--range must be byte positions, such as 0-99, 100- or -50.")
        }
    }

    /// Returns the method that was typed, or else the default method of the command.
    func method(or method: HTTPRequest.Method) -> HTTPRequest.Method { self.method?.method ?? method }

    /// Asks for missing secrets, and creates a client and a request.
    ///
    /// - Parameters:
    ///   - method: The default method of the command. If there is a body, POST replaces GET.
    ///   - content: The content to send. Defaults to `nil`.
    ///   - delegate: The delegate for the client.
    ///   - isDurable: Whether the client itself continues an interrupted body, so that no `Resumption` is needed for
    ///     `--retry`. Defaults to `false`.
    ///   - input: Reads the files to send. Defaults to `SystemInput`.
    /// - Returns: The client and a request. If the request has a problem, the client reports it.
    /// - Throws: `CommandFailure` if the user cannot be asked, an option is invalid, or a file cannot be used.
    func prepare(
        _ method: HTTPRequest.Method,
        _ content: ContentOptions? = nil,
        _ delegate: CommandDelegate,
        isDurable: Bool = false,
        _ input: some ContentInput = SystemInput()
    ) async throws(CommandFailure) -> (client: Client, request: Request) {
        let policy = isDurable ? nil : self.retry.policy
        let target = TypedURL(self.url)
        if let note = target.note, !self.isQuiet, !self.json { System.tell(TerminalText.note(note)) }
        delegate.reportsRetries((policy != nil || isDurable) && !self.isQuiet && !self.json)
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

    /// Returns the request with its body and its options.
    func completed(
        _ request: Request,
        _ content: ContentOptions?,
        _ input: some ContentInput
    ) async throws(CommandFailure) -> Request {
        var request = request
        if let content { request = try await content.applied(to: request, input) }
        // A typed `Content-Type` field replaces the body's type; a field without a value removes it.
        if try self.connection.fields().contains(where: { $0.name == .contentType }) {
            request.body?.contentType = nil
        }
        if let range { request = request.header(.range, "bytes=\(range.filter { $0 != " " })") }
        if self.compressed { request.options.decodesContent = true }
        if let maxFilesize { request.options.maximumBodyByteCount = maxFilesize.byteCount }
        if let policy = self.retry.policy { request = request.retry(policy) }
        return request
    }

    /// Prints the TLS parameters, if the user asked for them, and the origin of the response, if there is a cache and
    /// the command does not hide progress.
    ///
    /// With `--report json`, it prints nothing: the report contains these facts, and a program may read standard error.
    func printTLSFacts(_ response: Response) {
        guard !self.json else { return }
        if !self.isQuiet, let line = self.connection.caching.line(on: response) { System.tell(line) }
        guard self.connection.tls.tlsInfo else { return }
        System.tell(response.tls.map { TLSText.lines(on: $0) } ?? "* no TLS\n")
    }

    /// Checks that the body of a response is not longer than `--max-filesize` allows.
    ///
    /// - Parameter byteCount: The announced length of the body, or the number of bytes that have arrived; `nil` if
    ///   unknown.
    /// - Throws: `CommandFailure` if the body is too long.
    func checkLength(_ byteCount: Int64?) throws(CommandFailure) {
        guard let maxFilesize, let byteCount, byteCount > maxFilesize.byteCount else { return }
        throw CommandFailure(outcome: .tooLong, message: "the body is longer than --max-filesize allows")
    }
}
