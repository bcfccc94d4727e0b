// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What every command that connects to a server understands.
struct ConnectionOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "Send this field, instead of the default; may be repeated. 'Name:' sends none of that name, 'Name;' an empty "
                + "one, and @file the fields of a file, one on each line.",
            valueName: "name: value"
        )
    )
    var header: [String] = []

    @Option(
        name: [.customShort("A"), .long],
        help: ArgumentHelp("Send this as User-Agent; an empty text sends none.", valueName: "name")
    )
    var userAgent: String?

    @Option(name: [.customShort("e"), .long], help: ArgumentHelp("Send this as Referer.", valueName: "url"))
    var referer: String?

    @Option(
        help: ArgumentHelp("Give up connecting after this time, TLS included; 10 by default.", valueName: "seconds")
    )
    var connectTimeout: SecondsArgument?

    @Option(help: ArgumentHelp("Connect to this Unix-domain socket, whatever the URL's host is.", valueName: "path"))
    var unixSocket: String?

    @Option(
        help: ArgumentHelp(
            "Use these addresses for the host, * for any, at the port; may be repeated.",
            valueName: "host:port:address[,address]"
        )
    )
    var resolve: [AddressArgument] = []

    @Option(
        help: ArgumentHelp(
            "Connect to the second host and port where the first are asked for; each part may be empty. May be repeated.",
            valueName: "host:port:host:port"
        )
    )
    var connectTo: [ConnectToArgument] = []

    @Flag(
        name: .shortAndLong,
        help: "Show what goes out (>) and comes in (<) on standard error, without the values of secrets."
    )
    var verbose = false

    @OptionGroup(title: "Signing in") var signIn: SignInOptions

    @OptionGroup(title: "TLS") var tls: TLSOptions

    @OptionGroup(title: "Proxies and redirects") var route: RouteOptions

    @OptionGroup(title: "Cookies") var cookies: CookieOptions

    @OptionGroup(title: "Caching") var caching: CacheOptions

    func validate() throws {
        // Read here, since the parser would repeat the text in its message, which may hold a secret.
        for (index, text) in self.header.enumerated() where !text.hasPrefix("@") {
            let place = "number \(index + 1)"
            guard let field = FieldArgument(argument: text) else {
                throw ValidationError("--header takes a name, a colon and a value; \(place) is something else.")
            }
            if field.value == nil, field.name.canonicalName == "host" {
                throw ValidationError("--header \(place): a request cannot go without Host; give it another value.")
            }
        }
        if self.referer?.hasSuffix(";auto") == true {
            throw ValidationError("--referer takes a URL; ;auto is not supported.")
        }
    }

    /// The fields that were typed.
    ///
    /// - Throws: `CommandFailure` if a file of fields cannot be read.
    func fields() throws(CommandFailure) -> [FieldArgument] {
        var fields: [FieldArgument] = []
        for text in self.header {
            if text.hasPrefix("@") {
                let path = String(text.dropFirst())
                guard let data = try? Data(contentsOf: URL(filePath: path == "-" ? "/dev/stdin" : path)) else {
                    throw CommandFailure(outcome: .usage, message: "\(path) cannot be read")
                }
                fields += try FieldArgument.fields(in: String(decoding: data, as: UTF8.self), of: path)
            } else if let field = FieldArgument(argument: text) {
                fields.append(field)
            }
        }
        let add = { (name: HTTPField.Name, value: String?) in
            guard let value, !fields.contains(where: { $0.name == name }) else { return }
            fields.append(FieldArgument(name, value.isEmpty ? nil : value))
        }
        add(.userAgent, self.userAgent)
        add(.referer, self.referer)
        return fields + self.cookies.texts.map { FieldArgument(.cookie, $0) }
    }

    /// What is needed and must not be seen in the arguments of a process.
    struct Secrets: Sendable {
        var password: String?
        var passphrase: String?
    }

    /// Asks for what is missing, and makes a client and a request.
    ///
    /// - Parameters:
    ///   - method: how.
    ///   - url: what.
    ///   - timeout: how long it may take; `nil` for no limit.
    ///   - delegate: accompanies the call, if there is something for it to do.
    ///   - interceptors: See each attempt. Defaults to none.
    /// - Returns: the client, and a request, whose problem, if it has one, the client will tell.
    /// - Throws: `CommandFailure` if the user cannot be asked, or what was typed cannot be used.
    func prepare(
        _ method: HTTPRequest.Method,
        _ url: String,
        timeout: SecondsArgument?,
        _ delegate: CommandDelegate,
        interceptors: [any Interceptor] = []
    ) async throws(CommandFailure) -> (client: Client, request: Request) {
        let secrets = try await self.secrets(asking: delegate.questioner)
        var configuration = try self.configuration(for: url, secrets)
        try await self.caching.prepareFolder()
        if let collector = delegate.collector { configuration.monitors.append(collector) }
        if let store = try await self.cookies.store(warns: !delegate.isForMachines && !delegate.hidesWarnings) {
            configuration.cookieStore = store
            if let store = store as? FileCookieStore { delegate.keep(store) }
        }
        configuration.attemptInterceptors += interceptors
        if let trace = delegate.trace {
            configuration.attemptInterceptors.append(trace)
            configuration.monitors.append(trace)
        }
        let client = self.client(configuration, self.needsDelegate || delegate.tellsRetries ? delegate : nil)
        return (client, try self.request(method, url, timeout: timeout, secrets))
    }

    private func client(_ configuration: Client.Configuration, _ delegate: CommandDelegate?) -> Client {
        let overrides = AddressOverrides(connectTo: self.connectTo, resolve: self.resolve)
        guard !overrides.isEmpty else { return Client(configuration: configuration, delegate: delegate) }
        let connector = RetargetedConnector(base: NIOConnector(), overrides: overrides)
        return Client(configuration: configuration, delegate: delegate, connector: connector)
    }

    private var needsDelegate: Bool {
        self.signIn.ask || self.tls.tlsInfo || !self.tls.pin.isEmpty || self.verbose
    }

    /// What the user has to type before anything is sent.
    func secrets(asking questioner: some Questioner) async throws(CommandFailure) -> Secrets {
        var secrets = Secrets()
        if let user = self.signIn.userWithoutPassword {
            secrets.password = try await questioner.ask(
                "Password of \(user): ",
                isSecret: true,
                otherwise: "give --user name:password, or a file by --netrc-file"
            )
        }
        if let file = self.tls.fileWithoutPassphrase {
            secrets.passphrase = try await questioner.ask(
                "Passphrase of \(file): ",
                isSecret: true,
                otherwise: "give --pass, with an empty text if there is no passphrase"
            )
        }
        return secrets
    }

    /// The settings that were asked for.
    ///
    /// - Parameters:
    ///   - url: what will be called.
    ///   - secrets: what was asked for.
    /// - Returns: the settings.
    /// - Throws: `CommandFailure` if a file cannot be read, or a pin cannot be used.
    func configuration(
        for url: String,
        _ secrets: Secrets = Secrets()
    ) throws(CommandFailure) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.tls = try self.tls.configuration(for: url, passphrase: secrets.passphrase)
        if let store = try self.signIn.store() { configuration.credentialStore = store }
        if let store = self.caching.store { configuration.cache = store }
        for field in try self.fields() where field.value == nil { configuration.defaultFields[field.name] = nil }
        return configuration
    }

    /// The request that was asked for.
    ///
    /// - Parameters:
    ///   - method: how.
    ///   - url: what.
    ///   - timeout: how long it may take; `nil` for no limit.
    ///   - secrets: what was asked for.
    /// - Returns: a request, whose problem, if it has one, the client will tell.
    /// - Throws: `CommandFailure` if a file of fields cannot be read.
    func request(
        _ method: HTTPRequest.Method,
        _ url: String,
        timeout: SecondsArgument?,
        _ secrets: Secrets = Secrets()
    ) throws(CommandFailure) -> Request {
        var request = self.signIn.applied(to: Request(method, url), password: secrets.password)
        for field in try self.fields() {
            switch (field.name.canonicalName, field.value) {
            case ("expect", nil): request.options.expectsContinue = false
            case ("expect", let value?) where value.lowercased() == "100-continue":
                request.options.expectsContinue = true
            case ("accept-encoding", nil): request.options.decodesContent = false
            case (_, let value?): request = request.header(adding: field.name, value)
            case (_, nil): break  // taken from the default fields, or from the body
            }
        }
        if let connectTimeout { request = request.timeouts(Timeouts(connect: connectTimeout.duration)) }
        if let timeout { request = request.timeout(timeout.duration) }
        if let unixSocket { request = request.unixSocket(path: unixSocket) }
        return self.route.applied(to: request)
    }
}
