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
