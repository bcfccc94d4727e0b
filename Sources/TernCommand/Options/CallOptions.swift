// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

/// What every command that makes a call understands.
struct CallOptions: ParsableArguments, Sendable {
    @Argument(help: "An http or https URL.")
    var url: String

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp("Send this field, instead of the default; may be repeated.", valueName: "name: value")
    )
    var header: [FieldArgument] = []

    @Option(name: [.customShort("X"), .long], help: "Use this method.")
    var method: MethodArgument?

    @Option(help: ArgumentHelp("End the whole call after this time; no limit by default.", valueName: "seconds"))
    var timeout: SecondsArgument?

    @Option(
        help: ArgumentHelp("Give up connecting after this time, TLS included; 10 by default.", valueName: "seconds")
    )
    var connectTimeout: SecondsArgument?

    @Option(help: ArgumentHelp("Trust the root certificates in this PEM file too.", valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("Connect to this Unix-domain socket, whatever the URL's host is.", valueName: "path"))
    var unixSocket: String?

    @Flag(help: "Tell the result as one line of JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Show no progress; errors are still told.")
    var quiet = false

    /// A client with the settings that were asked for.
    func makeClient() -> Client {
        var configuration = Client.Configuration()
        if let connectTimeout { configuration.timeouts.connect = connectTimeout.duration }
        if let ca { configuration.tls.additionalRoots = [.pemFile(path: ca)] }
        return Client(configuration: configuration)
    }

    /// The request that was asked for.
    ///
    /// - Parameter method: what the command uses unless it is told otherwise.
    /// - Returns: a request, whose problem, if it has one, the client will tell.
    func makeRequest(_ method: HTTPRequest.Method) -> Request {
        var request = Request(self.method?.method ?? method, self.url)
        for field in self.header { request = request.header(adding: field.name, field.value) }
        if let timeout { request = request.timeout(timeout.duration) }
        if let unixSocket { request = request.unixSocket(path: unixSocket) }
        return request
    }
}
