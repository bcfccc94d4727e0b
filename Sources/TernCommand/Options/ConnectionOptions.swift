// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation
import TernNIO

struct ConnectionOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "Send this field instead of the default; may be repeated. 'Name:' removes the field, 'Name;' sends an "
                + "empty one, and @file sends the fields in a file, one per line. An empty text is ignored.",
            valueName: "name: value"
        )
    )
    var header: [String] = []

    @Option(
        name: [.customShort("A"), .long],
        help: ArgumentHelp("Send this User-Agent; an empty text sends none.", valueName: "name")
    )
    var userAgent: String?

    @Option(
        name: [.customShort("e"), .long],
        help: ArgumentHelp("Send this Referer; an empty text sends none.", valueName: "url")
    )
    var referer: String?

    @Option(
        help: ArgumentHelp("Stop connecting after this time, TLS included. The default is 10.", valueName: "seconds")
    )
    var connectTimeout: SecondsArgument?

    @Option(help: ArgumentHelp("Connect to this Unix domain socket instead of the URL's host.", valueName: "path"))
    var unixSocket: String?

    @Option(
        help: ArgumentHelp(
            "Use these addresses for this host (* for any) and port; may be repeated.",
            valueName: "host:port:address[,address]"
        )
    )
    var resolve: [AddressArgument] = []

    @Option(
        help: ArgumentHelp(
            "Connect to the second host and port instead of the first; each part may be empty. May be repeated.",
            valueName: "host:port:host:port"
        )
    )
    var connectTo: [ConnectToArgument] = []

    @Flag(name: [.customShort("4"), .customLong("ipv4")], help: "Connect to IPv4 addresses only.")
    var usesIPv4 = false

    @Flag(name: [.customShort("6"), .customLong("ipv6")], help: "Connect to IPv6 addresses only.")
    var usesIPv6 = false

    @Flag(name: .customLong("http1.1"), help: "Use HTTP/1.1 only.")
    var http1 = false

    @Flag(
        help:
            "Use HTTP/2 if the server chooses it in the TLS handshake. This is the default. A WebSocket then uses HTTP/1.1."
    )
    var http2 = false

    @Flag(help: "Use HTTP/2 only, even without TLS or for a WebSocket.")
    var http2PriorKnowledge = false

    @Flag(
        name: .shortAndLong,
        help: "Show what is sent (>) and received (<) on standard error, with secret values masked."
    )
    var verbose = false

    @OptionGroup(title: "Authentication") var signIn: SignInOptions

    @OptionGroup(title: "TLS") var tls: TLSOptions

    @OptionGroup(title: "Proxies and redirects") var route: RouteOptions

    @OptionGroup(title: "Cookies") var cookies: CookieOptions

    @OptionGroup(title: "Caching") var caching: CacheOptions

    func validate() throws {
        // Parse the fields here: the argument parser would repeat the text in its message, and the text may contain a
        // secret.
        for (index, text) in self.header.enumerated() where !text.isEmpty && !text.hasPrefix("@") {
            let place = "number \(index + 1)"
            guard let field = FieldArgument(argument: text) else {
                let forms = "'Name: value', 'Name:', 'Name;' or '@file'"
                throw ValidationError("Each --header must have the form \(forms); \(place) does not.")
            }
            if field.value == nil, field.name.canonicalName == "host" {
                throw ValidationError("--header \(place) cannot remove Host; give Host another value.")
            }
        }
        guard !self.usesIPv4 || !self.usesIPv6 else { throw ValidationError("--ipv4 and --ipv6 cannot be combined.") }
        guard [self.http1, self.http2, self.http2PriorKnowledge].count(where: { $0 }) < 2 else {
            throw ValidationError("--http1.1, --http2 and --http2-prior-knowledge cannot be combined.")
        }
        if self.referer?.hasSuffix(";auto") == true {
            throw ValidationError("--referer must be a URL; the ending ';auto' is not supported.")
        }
    }

    func fields() throws(CommandFailure) -> [FieldArgument] {
        var fields: [FieldArgument] = []
        for text in self.header {
            if text.hasPrefix("@") {
                let path = String(text.dropFirst())
                let isInput = path == "-"
                let data = try System.contents(
                    ofFile: isInput ? "/dev/stdin" : path,
                    called: isInput ? "standard input" : path
                )
                let place = isInput ? "standard input" : path
                fields += try FieldArgument.fields(in: String(decoding: data, as: UTF8.self), of: place)
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

    /// The secrets that the user enters when asked, so that the arguments of the process need not contain them.
    struct Secrets: Sendable {
        var password: String?
        var passphrase: String?
    }

    /// Asks for missing secrets, and creates a client, with a delegate only if one is needed, and a request, which may have a
    /// problem.
    func prepare(
        _ method: HTTPRequest.Method,
        _ url: String,
        timeout: SecondsArgument?,
        _ delegate: CommandDelegate,
        interceptors: [any Interceptor] = []
    ) async throws(CommandFailure) -> (client: Client, request: Request) {
        let secrets = try await self.secrets(asking: delegate.questioner)
        let client = try await self.client(for: url, secrets, delegate, interceptors: interceptors)
        return (client, try self.request(method, url, timeout: timeout, secrets))
    }

    func client(
        for url: String,
        _ secrets: Secrets,
        _ delegate: CommandDelegate,
        interceptors: [any Interceptor] = []
    ) async throws(CommandFailure) -> Client {
        var configuration = try self.configuration(for: url, secrets)
        try await self.caching.prepareFolder()
        if let collector = delegate.collector { configuration.monitors.append(collector) }
        if let session = delegate.place.session {
            configuration.cookieStore = session.cookieStore
        } else {
            configuration.cookieStore = try await self.cookies.store(warns: !delegate.isForMachines)
        }
        if let store = configuration.cookieStore as? FileCookieStore { delegate.keep(store) }
        configuration.attemptInterceptors += interceptors
        if let trace = delegate.trace {
            configuration.attemptInterceptors.append(trace)
            configuration.monitors.append(trace)
        }
        return self.client(configuration, self.needsDelegate || delegate.reportsRetries ? delegate : nil)
    }

    private func client(_ configuration: Client.Configuration, _ delegate: CommandDelegate?) -> Client {
        let overrides = AddressOverrides(connectTo: self.connectTo, resolve: self.resolve)
        let family: NIOConnector.AddressFamily? = self.usesIPv4 ? .ipv4 : self.usesIPv6 ? .ipv6 : nil
        guard !overrides.isEmpty || family != nil else {
            return Client(configuration: configuration, delegate: delegate)
        }
        let connector = RetargetedConnector(base: NIOConnector(family: family), overrides: overrides)
        return Client(configuration: configuration, delegate: delegate, connector: connector)
    }

    private var needsDelegate: Bool {
        self.signIn.ask || self.tls.tlsInfo || !self.tls.pin.isEmpty || self.verbose
    }

    func secrets(asking questioner: some Questioner) async throws(CommandFailure) -> Secrets {
        var secrets = Secrets()
        if let user = self.signIn.userWithoutPassword {
            secrets.password = try await questioner.ask(
                user.isEmpty ? "Password: " : "Password of \(user): ",
                isSecret: true,
                otherwise: "use --user name:password or --netrc-file"
            )
        }
        if let file = self.tls.fileWithoutPassphrase {
            secrets.passphrase = try await questioner.ask(
                "Passphrase of \(file): ",
                isSecret: true,
                otherwise: "use --pass, with an empty text if there is no passphrase"
            )
        }
        return secrets
    }

    private var httpVersion: HTTPVersionPolicy? {
        if self.http1 { return .http1 }
        if self.http2PriorKnowledge { return .http2PriorKnowledge }
        return self.http2 ? .automatic : nil
    }

    func configuration(
        for url: String,
        _ secrets: Secrets = Secrets()
    ) throws(CommandFailure) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.tls = try self.tls.configuration(for: url, passphrase: secrets.passphrase)
        if let version = self.httpVersion { configuration.httpVersion = version }
        if let store = try self.signIn.store() { configuration.credentialStore = store }
        if let store = self.caching.store { configuration.cache = store }
        configuration.awaitsProxyChallenges = self.route.proxyAnyauth
        for field in try self.fields() where field.value == nil { configuration.defaultFields[field.name] = nil }
        return configuration
    }

    func request(
        _ method: HTTPRequest.Method,
        _ url: String,
        timeout: SecondsArgument?,
        _ secrets: Secrets = Secrets()
    ) throws(CommandFailure) -> Request {
        self.applied(to: Request(method, url), try self.fields(), timeout: timeout, secrets)
    }

    func applied(
        to request: Request,
        _ fields: [FieldArgument],
        timeout: SecondsArgument?,
        _ secrets: Secrets
    ) -> Request {
        var request = self.signIn.applied(to: request, password: secrets.password)
        for field in fields {
            switch (field.name.canonicalName, field.value) {
            case ("expect", nil): request.options.expectsContinue = false
            case ("expect", let value?) where value.lowercased() == "100-continue":
                request.options.expectsContinue = true
            case ("accept-encoding", nil): request.options.decodesContent = false
            case (_, let value?): request = request.header(adding: field.name, value)
            case (_, nil): break  // other code removes the default field, or the media type of the body
            }
        }
        if let connectTimeout { request = request.timeouts(Timeouts(connect: connectTimeout.duration)) }
        if let timeout { request = request.timeout(timeout.duration) }
        if let unixSocket { request = request.unixSocket(path: unixSocket) }
        return self.route.applied(to: request)
    }
}
