// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

/// What every command that connects to a server understands.
struct ConnectionOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp("Send this field, instead of the default; may be repeated.", valueName: "name: value")
    )
    var header: [FieldArgument] = []

    @Option(
        help: ArgumentHelp("Give up connecting after this time, TLS included; 10 by default.", valueName: "seconds")
    )
    var connectTimeout: SecondsArgument?

    @Option(help: ArgumentHelp("Trust the root certificates in this PEM file too.", valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("Connect to this Unix-domain socket, whatever the URL's host is.", valueName: "path"))
    var unixSocket: String?

    /// A client with the settings that were asked for.
    func makeClient() -> Client {
        var configuration = Client.Configuration()
        if let connectTimeout { configuration.timeouts.connect = connectTimeout.duration }
        if let ca { configuration.tls.trust = .system(adding: [.pemFile(path: ca)]) }
        return Client(configuration: configuration)
    }

    /// The request that was asked for.
    ///
    /// - Parameters:
    ///   - method: how.
    ///   - url: what.
    ///   - timeout: how long it may take; `nil` for no limit.
    /// - Returns: a request, whose problem, if it has one, the client will tell.
    func makeRequest(_ method: HTTPRequest.Method, _ url: String, timeout: SecondsArgument?) -> Request {
        var request = Request(method, url)
        for field in self.header { request = request.header(adding: field.name, field.value) }
        if let timeout { request = request.timeout(timeout.duration) }
        if let unixSocket { request = request.unixSocket(path: unixSocket) }
        return request
    }
}
