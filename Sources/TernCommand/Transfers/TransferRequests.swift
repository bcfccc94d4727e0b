// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernTransferQueue

/// Adds the options of `tern-cli transfers run` to the requests of a queue, which contain no secrets.
struct TransferRequests: TransferQueueDelegate {
    private let connection: ConnectionOptions
    private let fields: [FieldArgument]
    private let secrets: ConnectionOptions.Secrets

    init(_ connection: ConnectionOptions, _ secrets: ConnectionOptions.Secrets) throws(CommandFailure) {
        self.connection = connection
        self.fields = try connection.fields()
        self.secrets = secrets
    }

    func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request {
        self.request(for: request)
    }

    /// Returns a request with the typed options; a typed field replaces the field of the transfer with the same name.
    func request(for request: Request) -> Request {
        var request = request
        for field in self.fields { request.fields[field.name] = nil }
        return self.connection.applied(to: request, self.fields, timeout: nil, self.secrets)
    }

    /// Checks that typed secrets go to one server only: the transfers may use several servers, and the user meant one of them.
    func checkServers(of urls: [URL]) throws(CommandFailure) {
        guard let option = self.optionForOneServer else { return }
        let servers = Set(urls.map(Self.server)).sorted()
        guard servers.count > 1 else { return }
        let names = servers.prefix(3).joined(separator: ", ") + (servers.count > 3 ? " and others" : "")
        let advice =
            "use a --directory for each server, or, for credentials alone, --netrc or --netrc-file with an entry for "
            + "each host"
        let reason = "\(option) is for one server, and the transfers use \(servers.count) servers: \(names)"
        throw CommandFailure(outcome: .usage, message: "\(reason); \(advice)")
    }

    private var optionForOneServer: String? {
        if self.connection.signIn.user != nil { return "--user" }
        if self.connection.signIn.bearer != nil { return "--bearer" }
        if !self.connection.cookies.texts.isEmpty { return "--cookie" }
        if !self.connection.tls.pin.isEmpty { return "--pin" }
        let isSecret = { (field: FieldArgument) in
            ["authorization", "proxy-authorization", "cookie"].contains(field.name.canonicalName)
        }
        return self.fields.contains(where: isSecret) ? "--header with a secret" : nil
    }

    private static func server(of url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(scheme)://\(url.host()?.lowercased() ?? "")\(port)"
    }
}
