// SPDX-License-Identifier: Apache-2.0

/// The command line of a peer.
///
/// `<case> --url URL [--label NAME] [--http VERSION] [--concurrency N] [--seconds S] [--requests N] [--file PATH]
/// [--ca PEM] [--executor] [--no-polling] [--event-loops] [--durable] [--time-limit] [--bytes N] [--deflate] [--async] [--cold]`
public struct Arguments: Sendable {
    /// The case to measure.
    public enum Case: String, CaseIterable, Sendable {
        /// Many small GETs.
        case get
        /// One GET into a file.
        case download
        /// Concurrent GETs, each into a file of its own.
        case downloads
        /// One PUT from a file.
        case upload
        /// One GET, read line by line.
        case lines
        /// One GET of server-sent events, each of which becomes a value.
        case events
        /// One GET of server-sent events, whose data is decoded.
        case deltas
        /// One GET of lines of JSON, which are decoded.
        case values
        /// One GET into memory.
        case data
        /// One GET into memory, whose content is compressed with gzip.
        case gzip
        /// One GET into memory, whose content is compressed with Brotli.
        case brotli
        /// One GET into memory, whose content is compressed with Zstandard.
        case zstd
        /// No request: the process starts, and creates the client.
        case start
        /// A WebSocket, over which the client sends one message at a time and waits for its echo.
        case echo = "ws-echo"
        /// A WebSocket, over which the server sends messages after a first message of the client; the URL has their
        /// number.
        case receive = "ws-receive"
        /// A WebSocket, over which the client sends messages, and then performs the closing handshake.
        case send = "ws-send"
        /// Many idle WebSockets.
        case idle = "ws-idle"
    }

    /// A version of HTTP.
    public enum Version: String, CaseIterable, Sendable {
        /// HTTP/1.1.
        case http1 = "1.1"
        /// HTTP/2.
        case http2 = "2"
    }

    /// The case to measure.
    ///
    /// Defaults to ``Case/get``.
    public var benchmark: Case = .get
    /// The name of the measurement in the output.
    ///
    /// Defaults to the name of the case.
    public var label = ""
    /// The resource to get or to put.
    public var url = ""
    /// The version of HTTP that the peer must use; the peer fails if a response has another one.
    ///
    /// Defaults to `nil`: the server supports only one version, and the peer does not check it.
    public var version: Version?
    /// The number of concurrent requests for ``Case/get``, and the number of connections for ``Case/downloads``.
    public var concurrency = 1
    /// The duration of ``Case/get``, in seconds.
    ///
    /// Ignored if ``requestCount`` is set.
    public var seconds = 2.0
    /// The total number of requests for ``Case/get`` and ``Case/downloads``, or of messages or WebSockets for the other
    /// cases.
    public var requestCount: Int?
    /// The path of the file to write or to send.
    ///
    /// Each file of ``Case/downloads`` has a hyphen and its number after this path.
    ///
    /// For WebSockets, the file contains the messages one after the other.
    public var file = ""
    /// The size of each message, in bytes.
    public var messageByteCount = 64
    /// Whether the client offers permessage-deflate.
    public var offersCompression = false
    /// The path of a PEM file with the authority to trust in place of the system's roots.
    public var certificateAuthority: String?
    /// Whether tasks run on the client's own executor, if the peer has an executor.
    public var usesClientExecutor = false
    /// Whether a client that can poll for answers waits without polling.
    public var avoidsPolling = false
    /// Whether SwiftNIO's event loops run all tasks of the process, if the peer supports that.
    ///
    /// `client.executor`, for comparison, is one event loop of the client.
    public var usesEventLoops = false
    /// Whether a download is safe on the disk when it ends, and can continue after a crash, if the peer can do that.
    public var isDurable = false
    /// Whether each GET has a time limit of its own.
    public var limitsTime = false
    /// Whether the peer uses its asynchronous interface, if it also has another interface.
    public var usesAsyncInterface = false
    /// Whether the case begins without a warm-up, so that the measurement includes opening connections.
    public var isCold = false

    private static let flags: [String: any WritableKeyPath<Arguments, Bool> & Sendable] = [
        "--async": \.usesAsyncInterface,
        "--cold": \.isCold,
        "--deflate": \.offersCompression,
        "--event-loops": \.usesEventLoops,
        "--executor": \.usesClientExecutor,
        "--no-polling": \.avoidsPolling,
        "--durable": \.isDurable,
        "--time-limit": \.limitsTime,
    ]

    /// Reads the arguments of this process.
    ///
    /// - Throws: ``InvalidArguments`` if an argument is unknown, malformed or missing.
    public init() throws {
        try self.init(CommandLine.arguments.dropFirst())
    }

    /// Reads `arguments`, without the name of the program.
    ///
    /// - Throws: ``InvalidArguments`` if an argument is unknown, malformed or missing.
    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        guard let name = rest.next(), let benchmark = Case(rawValue: name) else {
            throw InvalidArguments("the first argument is one of \(Case.allCases.map(\.rawValue))")
        }
        self.benchmark = benchmark
        self.label = name
        while let option = rest.next() {
            if let flag = Self.flags[option] {
                self[keyPath: flag] = true
                continue
            }
            guard let value = rest.next() else { throw InvalidArguments("\(option) needs a value") }
            try self.set(option, to: value)
        }
        guard !self.url.isEmpty else { throw InvalidArguments("--url is missing") }
        if [.download, .downloads, .upload, .echo, .send].contains(benchmark), self.file.isEmpty {
            throw InvalidArguments("--file is missing")
        }
    }

    private mutating func set(_ option: String, to value: String) throws {
        switch option {
        case "--url": self.url = value
        case "--label": self.label = value
        case "--file": self.file = value
        case "--ca": self.certificateAuthority = value
        case "--http":
            guard let version = Version(rawValue: value) else {
                throw InvalidArguments("--http takes one of \(Version.allCases.map(\.rawValue))")
            }
            self.version = version
        case "--concurrency": self.concurrency = try Self.number(value, for: option)
        case "--seconds": self.seconds = try Self.number(value, for: option)
        case "--bytes": self.messageByteCount = try Self.number(value, for: option)
        case "--requests": self.requestCount = try Self.number(value, for: option)
        default: throw InvalidArguments("\(option) is unknown")
        }
    }

    private static func number<Number: LosslessStringConvertible & Comparable & Numeric>(
        _ value: String,
        for option: String
    ) throws -> Number {
        guard let number = Number(value), number > .zero else {
            throw InvalidArguments("\(option) takes a number above zero")
        }
        return number
    }
}

/// The error for an invalid command line.
public struct InvalidArguments: Error, CustomStringConvertible {
    /// The error message.
    public let description: String

    init(_ description: String) { self.description = description }
}
