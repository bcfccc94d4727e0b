// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Tern
import TestSupport

/// A server that speaks HTTP/2 in another way for each path, mostly a wrong way; see `hostile_server.py`.
struct HostileServer: Sendable {
    /// The ports, in the order in which the server reports them.
    enum Port: Int, CaseIterable, Sendable {
        case plain
        case tls
        /// The first frame is PING.
        case ping
        /// The server speaks HTTP/1.1.
        case http1
        /// The server sends nothing.
        case silent

        /// The ports that follow the rules until the path of a request says otherwise.
        static let usual: [Port] = [.plain, .tls]
    }

    /// The client's behavior on a connection, as the server saw it.
    struct Report: Decodable, Sendable {
        /// The number of bytes that the client and the system's buffers have taken.
        var sent: Int
        /// The error code of the client's GOAWAY; `nil` without one.
        var goAway: Int?
        /// The error codes of the client's RST_STREAM frames.
        var resets: [Int]
    }

    private static let start = Task { try await Self.launch() }

    /// The server that all tests of this process share.
    static var shared: HostileServer { get async throws { try await Self.start.value } }

    /// The time after which a call ends whose attack goes on without end.
    ///
    /// It is as long as the time that ``eventually(_:_:)`` waits, so no call reaches it on a slow machine.
    private static let deadline = Duration.seconds(300)

    private static let lastID = Atomic(0)

    private let process: PeerProcess
    private let ports: [Int]

    /// Returns a text for `?id=` that no other test uses.
    static func makeID() -> String { "hostile-\(Self.lastID.add(1, ordering: .relaxed).newValue)" }

    func url(_ port: Port, _ path: String) -> String {
        "\(port == .tls ? "https" : "http")://localhost:\(self.ports[port.rawValue])\(path)"
    }

    func get(_ port: Port, _ path: String) -> Request { self.request(.get, port, path) }

    /// Returns a request that uses HTTP/2: by the server's choice over TLS, and otherwise in any case.
    func request(_ method: HTTPRequest.Method, _ port: Port, _ path: String) -> Request {
        Self.request(method, self.url(port, path))
    }

    /// Returns a request that uses HTTP/2, for the URL of a server in another process.
    static func request(_ method: HTTPRequest.Method, _ url: String) -> Request {
        Request(method, url).httpVersion(url.hasPrefix("https:") ? .automatic : .http2PriorKnowledge)
    }

    /// The path of the certificate of the authority that this server uses.
    var rootPath: String { self.process.folder.appending(path: "root.pem").path }

    /// Returns a client that trusts only the authority of this server.
    func makeClient() -> Client { Self.makeClient(trusting: self.rootPath) }

    /// Returns a client that trusts only the authority in a PEM file.
    ///
    /// Each call ends at the latest after a deadline, with a fault that no test expects.
    static func makeClient(trusting rootPath: String) -> Client {
        Client { configuration in
            configuration.tls.trust = .only([.pemFile(path: rootPath)])
            configuration.expectContinueThreshold = nil  // the server ignores `Expect`
            configuration.timeouts = .patient(call: Self.deadline)
        }
    }

    /// Returns the report about the connection of the request with this `?id=`, after its end.
    ///
    /// If several connections had requests with this `?id=`, the report is about the first.
    ///
    /// If `untilReset` is `true`, the client need only have reset a stream.
    func report(_ id: String, untilReset: Bool = false) async throws -> Report {
        let request = self.get(.plain, "/report").query("id", id).query("until", untilReset ? "reset" : nil)
        return try JSONDecoder().decode(Report.self, from: try await self.makeClient().data(for: request).0)
    }

    private static func launch() async throws -> HostileServer {
        let script = ["-B", Scripts.path("hostile_server.py"), "ports.txt"]
        let process = try PeerProcess(Scripts.python, script) { folder in
            try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder)
        }
        let report = process.folder.appending(path: "ports.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        let ports = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        return HostileServer(process: process, ports: ports)
    }
}
