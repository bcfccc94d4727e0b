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

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Tell the result as one line of JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Show no progress; errors are still told.")
    var quiet = false

    /// A client with the settings that were asked for.
    func makeClient() -> Client { self.connection.makeClient() }

    /// The request that was asked for.
    ///
    /// - Parameter method: what the command uses unless it is told otherwise.
    /// - Returns: a request, whose problem, if it has one, the client will tell.
    func makeRequest(_ method: HTTPRequest.Method) -> Request {
        self.connection.makeRequest(self.method?.method ?? method, self.url, timeout: self.timeout)
    }
}
