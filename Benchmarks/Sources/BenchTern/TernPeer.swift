// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import Tern
internal import TernBrotli
internal import TernZstandard

@main struct TernPeer: Peer {
    let name: String
    let executor: (any TaskExecutor)?
    private let client: Client
    /// The version that every response must have; `nil` if any will do.
    private let version: HTTPVersion?
    private let isDurable: Bool
    private let limitsTime: Bool

    static func main() {
        // Before the first task. If the arguments are invalid, `run` says so.
        if let arguments = try? Arguments(), arguments.usesEventLoops {
            NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
        }
        perform { await run(TernPeer.init, webSocket: TernWebSocketPeer.init) }
    }

    /// Creates a client with the defaults.
    ///
    /// Over HTTP/1.1, it may open and keep a connection for each concurrent request, as clients without a limit do.
    private init(arguments: Arguments) {
        var configuration = Client.Configuration()
        switch arguments.version {
        case .http1:
            configuration.httpVersion = .http1
            self.version = .http11
        case .http2: self.version = .http2
        case nil: self.version = nil
        }
        if arguments.version != .http2 {
            var pool = configuration.pool
            pool.maximumConnectionsPerHost = max(pool.maximumConnectionsPerHost, arguments.concurrency)
            pool.maximumIdleConnections = max(pool.maximumIdleConnections, arguments.concurrency)
            configuration.pool = pool
        }
        configuration.pollsForAnswers = !arguments.avoidsPolling
        if let authority = arguments.certificateAuthority {
            configuration.tls.trust = .only([.pemFile(path: authority)])
        }
        switch arguments.benchmark {
        case .brotli: configuration.contentCodecs = [.brotli]
        case .zstd: configuration.contentCodecs = [.zstandard]
        default: break
        }
        self.client = Client(configuration: configuration)
        self.isDurable = arguments.isDurable
        self.limitsTime = arguments.limitsTime
        self.name = arguments.usesClientExecutor ? "tern-executor" : arguments.isDurable ? "tern-durable" : "tern"
        self.executor = arguments.usesClientExecutor ? self.client.executor : nil
    }

    private static func parse(_ url: String) throws -> URL {
        guard let url = URL(string: url) else { throw UnexpectedAnswer("not a URL: \(url)") }
        return url
    }

    private func check(_ response: Response) throws {
        try UnexpectedAnswer.check(status: response.status.code)
        guard self.version == nil || response.httpVersion == self.version else {
            throw UnexpectedAnswer(response.httpVersion.map { "\($0)" } ?? "no version of HTTP")
        }
    }

    func get(_ url: String) async throws -> Int { try await self.data(url) }

    func data(_ url: String) async throws -> Int {
        let url = try Self.parse(url)
        let (data, response) =
            self.limitsTime
            ? try await self.client.data(for: Request(url: url).timeout(.seconds(600)))
            : try await self.client.data(from: url)
        try self.check(response)
        return data.count
    }

    func download(_ url: String, to file: String) async throws -> Int {
        if self.isDurable {
            let place = URL(filePath: file)
            return Int(try await self.client.download(from: Self.parse(url), to: place, resuming: .manual).byteCount)
        }
        let (_, response) = try await self.client.download(from: Self.parse(url), to: URL(filePath: file))
        try self.check(response)
        return try size(of: file)
    }

    func upload(_ file: String, to url: String) async throws -> Int {
        let request = Request(.put, try Self.parse(url))
        let (data, response) = try await self.client.upload(for: request, fromFile: URL(filePath: file))
        try self.check(response)
        return data.count
    }

    func lines(_ url: String, line: (String) -> Void) async throws {
        let (bytes, response) = try await self.client.bytes(from: Self.parse(url))
        try self.check(response)
        for try await text in bytes.lines { line(text) }
    }

    func events(_ url: String, event: (String) -> Void) async throws {
        for try await each in try await self.client.events(from: Self.parse(url)) { event(each.data) }
    }

    func deltas(_ url: String, delta: (Photo) -> Void) async throws {
        for try await each in try await self.client.events(from: Self.parse(url), as: Photo.self) { delta(each) }
    }

    func values(_ url: String, value: (Photo) -> Void) async throws {
        for try await each in try await self.client.values(from: Self.parse(url), as: Photo.self) { value(each) }
    }
}
