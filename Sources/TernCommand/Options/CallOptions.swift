// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

/// What every command that makes an HTTP call understands.
struct CallOptions: ParsableArguments, Sendable {
    @Argument(help: "An http or https URL.")
    var url: String

    @Option(name: [.customShort("X"), .long], help: "Use this method.")
    var method: MethodArgument?

    @Option(help: ArgumentHelp("End the whole call after this time; no limit by default.", valueName: "seconds"))
    var timeout: SecondsArgument?

    @OptionGroup(title: "Trying again") var retry: RetryOptions

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Tell the result as one line of JSON.")
    var json = false

    @Flag(help: "Show where the time went, at the end, on standard error.")
    var timing = false

    @Flag(name: .shortAndLong, help: "Show no progress; errors are still told.")
    var quiet = false

    /// The method that was typed, or else the command's.
    func method(or method: HTTPRequest.Method) -> HTTPRequest.Method { self.method?.method ?? method }

    /// Asks for what is missing, and makes a client and a request.
    ///
    /// - Parameters:
    ///   - method: what the command uses unless it is told otherwise.
    ///   - delegate: accompanies the call.
    /// - Returns: the client, and a request, whose problem, if it has one, the client will tell.
    /// - Throws: `CommandFailure` if nobody can be asked, or what was typed cannot be used.
    func prepare(
        _ method: HTTPRequest.Method,
        _ delegate: CommandDelegate
    ) async throws(CommandFailure) -> (client: Client, request: Request) {
        let policy = self.retry.policy
        delegate.tellsRetries(policy != nil && !self.quiet && !self.json)
        var (client, request) = try await self.connection.prepare(
            self.method(or: method),
            self.url,
            timeout: self.timeout,
            delegate
        )
        if let policy { request = request.retry(policy) }
        return (client, request)
    }

    /// Tells what was agreed on when TLS was established, if that was asked for, and where the response came from, if there
    /// is a cache.
    ///
    /// With `--json` the report tells, and standard error may be for machines.
    func tellTLS(_ response: Response) {
        guard !self.json else { return }
        if !self.quiet, let line = self.connection.caching.line(on: response) { System.tell(line) }
        guard self.connection.tls.tlsInfo else { return }
        System.tell(response.tls.map { TLSText.lines(on: $0) } ?? "* no TLS\n")
    }
}

/// Whether a call is tried again, as it is typed.
struct RetryOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Try so many times again after a failure, or an answer of 408, 425, 429, 500, 502, 503 or 504, that another "
                + "try may mend; waits longer from try to try, or as long as the server says, up to a minute. A POST or PATCH "
                + "that may have arrived is not sent twice, unless it has an Idempotency-Key. 0 by default.",
            valueName: "count"
        )
    )
    var retry: Int?

    func validate() throws {
        if let retry, !(0...1000).contains(retry) { throw ValidationError("--retry takes a number from 0 to 1000.") }
    }

    /// The policy that was asked for; `nil` for none.
    var policy: RetryPolicy? {
        // A person who types a number means it: no budget ends the tries before.
        self.retry.flatMap { $0 > 0 ? RetryPolicy(maximumAttemptCount: $0 + 1, budget: nil) : nil }
    }
}

/// What every command that prints the body of a response understands.
struct BodyOptions: ParsableArguments, Sendable {
    @Flag(name: .shortAndLong, help: "Print the status and the fields before the body.")
    var include = false

    @Flag(help: "Exit with 22 if the status is 400 or more; the body is printed all the same.")
    var fail = false

    /// Prints a body while it arrives.
    ///
    /// - Parameters:
    ///   - bytes: the body, which is printed as it is, also on a terminal.
    ///   - response: its head.
    ///   - descriptor: where to; standard output by default.
    /// - Returns: how it ended.
    /// - Throws: `ClientError` or `OutputFailure`.
    func print(
        _ bytes: ResponseBytes,
        _ response: Response,
        on descriptor: CInt = System.standardOutput
    ) async throws -> CallReport {
        let output = OutputWriter(descriptor: descriptor)
        var byteCount: Int64 = 0
        try await output.whileRead {
            if self.include { try await output.write(TerminalText.shown(response.head, on: descriptor).utf8) }
            for try await chunk in bytes.chunks {
                byteCount += Int64(chunk.count)
                try await output.write(chunk)
            }
        }
        var report = CallReport(response, bytes: byteCount)
        if self.fail { report.fail(response, if: 400..., "its body was printed") }
        return report
    }
}

extension Response {
    /// Status and fields, as `--include` prints them.
    var head: String {
        let fields = self.fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return "HTTP/1.1 \(self.status)\n\(fields)\n"
    }
}
