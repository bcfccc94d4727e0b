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
    var header: [String] = []

    @Option(
        help: ArgumentHelp("Give up connecting after this time, TLS included; 10 by default.", valueName: "seconds")
    )
    var connectTimeout: SecondsArgument?

    @Option(help: ArgumentHelp("Connect to this Unix-domain socket, whatever the URL's host is.", valueName: "path"))
    var unixSocket: String?

    @OptionGroup(title: "Signing in") var signIn: SignInOptions

    @OptionGroup(title: "TLS") var tls: TLSOptions

    @OptionGroup(title: "Proxies and redirects") var route: RouteOptions

    @OptionGroup(title: "Cookies") var cookies: CookieOptions

    @OptionGroup(title: "Caching") var caching: CacheOptions

    func validate() throws {
        // Read here, since the parser would repeat the text in its message, which may hold a secret.
        for (index, text) in self.header.enumerated() where FieldArgument(argument: text) == nil {
            throw ValidationError("--header takes a name, a colon and a value; number \(index + 1) is something else.")
        }
    }

    /// The fields that were typed.
    var fields: [FieldArgument] { self.header.compactMap { FieldArgument(argument: $0) } }

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
    /// - Returns: the client, and a request, whose problem, if it has one, the client will tell.
    /// - Throws: `CommandFailure` if nobody can be asked, or what was typed cannot be used.
    func prepare(
        _ method: HTTPRequest.Method,
        _ url: String,
        timeout: SecondsArgument?,
        _ delegate: CommandDelegate
    ) async throws(CommandFailure) -> (client: Client, request: Request) {
        let secrets = try await self.secrets(asking: delegate.questioner)
        var configuration = try self.configuration(for: url, secrets)
        try await self.caching.prepareFolder()
        if let collector = delegate.collector { configuration.monitors.append(collector) }
        if let store = try await self.cookies.store(warns: !delegate.isForMachines) {
            configuration.cookieStore = store
            delegate.keep(store)
        }
        let client = Client(
            configuration: configuration,
            delegate: self.needsDelegate || delegate.tellsRetries ? delegate : nil
        )
        return (client, self.request(method, url, timeout: timeout, secrets))
    }

    private var needsDelegate: Bool { self.signIn.ask || self.tls.tlsInfo || !self.tls.pin.isEmpty }

    /// What somebody has to type before anything is sent.
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
        if let connectTimeout { configuration.timeouts.connect = connectTimeout.duration }
        configuration.tls = try self.tls.configuration(for: url, passphrase: secrets.passphrase)
        if let store = try self.signIn.store() { configuration.credentialStore = store }
        if let store = self.caching.store { configuration.cache = store }
        if let redirects = self.route.redirects { configuration.redirects = redirects }
        // It was read before, when the arguments were.
        if let selection = try? self.route.selection() { configuration.proxy = selection }
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
    func request(
        _ method: HTTPRequest.Method,
        _ url: String,
        timeout: SecondsArgument?,
        _ secrets: Secrets = Secrets()
    ) -> Request {
        var request = self.signIn.applied(to: Request(method, url), password: secrets.password)
        for field in self.fields { request = request.header(adding: field.name, field.value) }
        if let timeout { request = request.timeout(timeout.duration) }
        if let unixSocket { request = request.unixSocket(path: unixSocket) }
        return request
    }
}

/// Which way requests take, as it is typed.
struct RouteOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("x"), .long],
        help: ArgumentHelp(
            "Go through this proxy: http://, https:// or socks5://, with user:password@ if it wants them; by default what "
                + "http_proxy, https_proxy, all_proxy and no_proxy say.",
            valueName: "url"
        )
    )
    var proxy: String?

    @Flag(help: "Go through no proxy, whatever the environment says.")
    var noProxy = false

    @Option(help: ArgumentHelp("Follow so many redirects; one more is an error. 20 by default.", valueName: "count"))
    var maxRedirects: Int?

    @Flag(help: "Follow no redirects: the first one is the response.")
    var noRedirects = false

    @Flag(
        name: [.customShort("L"), .long],
        help: "Follow redirects, which is done anyway; for those whose fingers know curl."
    )
    var location = false

    func validate() throws {
        if self.proxy != nil, self.noProxy { throw ValidationError("--proxy and --no-proxy exclude each other.") }
        if self.noRedirects, self.location || self.maxRedirects != nil {
            throw ValidationError("--no-redirects excludes --location and --max-redirects.")
        }
        if let maxRedirects, maxRedirects < 0 { throw ValidationError("--max-redirects takes a number from 0 on.") }
        // Read here, since the parser would repeat the password in its message.
        do throws(ProxyURLViolation) {
            _ = try self.selection()
        } catch {
            throw ValidationError("--proxy: \(error).")
        }
    }

    /// The proxy that was asked for; `nil` leaves it to the environment.
    func selection() throws(ProxyURLViolation) -> ProxySelection? {
        if self.noProxy { return .direct }
        guard let proxy else { return nil }
        return .proxy(try Proxy(proxy))
    }

    /// The redirects that were asked for; `nil` leaves it to the client.
    var redirects: RedirectPolicy? {
        if self.noRedirects { return .never }
        return self.maxRedirects.map { RedirectPolicy(maximumCount: $0) }
    }
}
