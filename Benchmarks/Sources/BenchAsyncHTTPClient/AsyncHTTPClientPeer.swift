// SPDX-License-Identifier: Apache-2.0
internal import AsyncHTTPClient
internal import BenchSupport
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOSSL

@main struct AsyncHTTPClientPeer: Peer {
    let name = "ahc"
    private let client: HTTPClient
    private let usesHTTP2: Bool

    static func main() { perform { await run(AsyncHTTPClientPeer.init) } }

    /// Creates a client with the defaults.
    ///
    /// The client uses HTTP/1.1 unless `arguments` demand HTTP/2. Over HTTP/1.1, it keeps up to 64 connections to one
    /// host, or more for more concurrent requests.
    private init(arguments: Arguments) {
        var configuration = HTTPClient.Configuration()
        self.usesHTTP2 = arguments.version == .http2
        configuration.httpVersion = self.usesHTTP2 ? .automatic : .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(64, arguments.concurrency)
        if arguments.benchmark == .gzip { configuration.decompression = .enabled(limit: .none) }
        if let authority = arguments.certificateAuthority {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            configuration.tlsConfiguration = tls
        }
        self.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse.Body {
        let response = try await self.client.execute(request, timeout: .seconds(60))
        try UnexpectedAnswer.check(status: Int(response.status.code))
        guard response.version == (self.usesHTTP2 ? .http2 : .http1_1) else {
            throw UnexpectedAnswer("\(response.version)")
        }
        return response.body
    }

    func get(_ url: String) async throws -> Int {
        try await self.execute(HTTPClientRequest(url: url)).collect(upTo: 1 << 20).readableBytes
    }

    func data(_ url: String) async throws -> Int {
        try await self.execute(HTTPClientRequest(url: url)).collect(upTo: 1 << 30).readableBytes
    }

    func download(_ url: String, to file: String) async throws -> Int {
        let body = try await self.execute(HTTPClientRequest(url: url))
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw UnexpectedAnswer("cannot create \(file)") }
        defer { close(descriptor) }
        var count = 0
        for try await buffer in body {
            try buffer.withUnsafeReadableBytes { try Self.write($0, to: descriptor) }
            count += buffer.readableBytes
        }
        return count
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard written > 0 else { throw UnexpectedAnswer("cannot write the file") }
            rest = rest.dropFirst(written)
        }
    }

    func upload(_ file: String, to url: String) async throws -> Int {
        let chunks = try FileChunks(file)
        var request = HTTPClientRequest(url: url)
        request.method = .PUT
        request.body = .stream(chunks, length: .known(Int64(chunks.count)))
        return try await self.execute(request).collect(upTo: 1 << 20).readableBytes
    }

    func lines(_ url: String, line: (String) -> Void) async throws {
        var splitter = LineSplitter()
        for try await buffer in try await self.execute(HTTPClientRequest(url: url)) {
            splitter.split(buffer, into: line)
        }
        splitter.finish(into: line)
    }
}
