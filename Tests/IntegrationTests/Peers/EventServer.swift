// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Tern
import TestSupport

/// The servers of events, and nginx in front of one of them; see `event_server.py` and `event_proxy.conf`.
struct EventServer: Sendable {
    /// The ways to the same events, as a parameter of tests.
    enum Route: String, CaseIterable, Sendable {
        /// hypercorn with TLS, over HTTP/1.1.
        case hypercorn
        /// hypercorn with TLS, over HTTP/2.
        case hypercornHTTP2
        /// uvicorn without TLS, over HTTP/1.1.
        case uvicorn
        /// nginx without buffers, over HTTP/1.1.
        case nginx
        /// nginx without buffers, over HTTP/2.
        case nginxHTTP2
        /// nginx with buffers, which the server of the events asks it not to use.
        case nginxAsked
        /// nginx with buffers, whatever the server asks for.
        case nginxBuffering
        /// nginx with buffers, whatever the server asks for, over HTTP/2.
        case nginxBufferingHTTP2
        /// nginx without buffers, which compresses the events.
        case nginxPacking

        /// The ways on which each event arrives as soon as it is sent.
        static let prompt = Self.allCases.filter { ![.nginxBuffering, .nginxBufferingHTTP2].contains($0) }

        var isHTTP2: Bool { [.hypercornHTTP2, .nginxHTTP2, .nginxBufferingHTTP2].contains(self) }

        fileprivate var prefix: String {
            switch self {
            case .hypercorn, .hypercornHTTP2, .uvicorn: ""
            case .nginx, .nginxHTTP2: "/streaming"
            case .nginxAsked: "/asked"
            case .nginxBuffering, .nginxBufferingHTTP2: "/buffering"
            case .nginxPacking: "/packing"
            }
        }
    }

    private static let start = Task { try await Self.launch() }

    /// The servers that all tests of this process share.
    static var shared: EventServer { get async throws { try await Self.start.value } }

    private static let lastGate = Atomic(0)

    /// Returns a name for `?gate=` that no other test uses.
    static func makeGate() -> String { "events-\(Self.lastGate.add(1, ordering: .relaxed).newValue)" }

    private let events: PeerProcess
    private let proxy: PeerProcess
    /// Reserved, so that no server listens on it.
    private let gone: LoopbackPort
    private let hypercornPort: Int
    private let uvicornPort: Int
    private let nginxPort: Int
    private let nginxSecurePort: Int

    /// Returns a request to a path by a route.
    func request(_ route: Route, _ path: String, method: HTTPRequest.Method = .get) -> Request {
        let origin =
            switch route {
            case .hypercorn, .hypercornHTTP2: "https://localhost:\(self.hypercornPort)"
            case .uvicorn: "http://127.0.0.1:\(self.uvicornPort)"
            case .nginx, .nginxAsked, .nginxBuffering, .nginxPacking: "http://127.0.0.1:\(self.nginxPort)"
            case .nginxHTTP2, .nginxBufferingHTTP2: "https://localhost:\(self.nginxSecurePort)"
            }
        return Request(method, origin + route.prefix + path).httpVersion(route.isHTTP2 ? .automatic : .http1)
    }

    /// Returns a request that nginx passes on to the raw server.
    func rawRequest(_ path: String, isHTTP2: Bool) -> Request {
        let origin = isHTTP2 ? "https://localhost:\(self.nginxSecurePort)" : "http://127.0.0.1:\(self.nginxPort)"
        return Request(.post, origin + "/raw" + path)
    }

    /// Returns a request that nginx wants to pass on to a server that does not exist.
    var requestToNobody: Request { Request(.get, "http://127.0.0.1:\(self.nginxPort)/gone/") }

    /// Returns a client that trusts only the authority of these servers.
    func makeClient() -> Client {
        let root = CertificateSource.pemFile(path: self.events.folder.appending(path: "root.pem").path)
        var configuration = Client.Configuration.patient
        configuration.tls.trust = .only([root])
        return Client(configuration: configuration)
    }

    /// Lets the stream with this `?gate=` continue with one event.
    func open(_ gate: String, by client: Client) async throws {
        _ = try await client.data(for: self.request(.uvicorn, "/release").query("gate", gate))
    }

    /// Lets all idle streams with this `?gate=` continue.
    func wake(_ gate: String, by client: Client) async throws {
        _ = try await client.data(for: self.request(.uvicorn, "/wake").query("gate", gate))
    }

    /// Waits until the stream with this `?gate=` has ended at the server.
    func hasEnded(_ gate: String) async throws {
        let client = self.makeClient()
        try await eventually("the stream has ended at the server") {
            let request = self.request(.uvicorn, "/ended").query("gate", gate)
            return try await client.data(for: request).0 == Data("true".utf8)
        }
    }

    // MARK: Starting

    private static func launch() async throws -> EventServer {
        let script = ["-B", Scripts.path("event_server.py"), "ports.txt"]
        let events = try PeerProcess(Scripts.python, script) { folder in
            try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder)
        }
        let report = events.folder.appending(path: "ports.txt")
        try await events.ready { FileManager.default.fileExists(atPath: report.path) }
        let ports = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        let raw = try await RawServer()
        let gone = try LoopbackPort()
        return try await PeerProcess.withFreePorts(2) { free in
            let names = [
                "CERTIFICATES": events.folder.path, "EVENTS": "\(ports[1])", "RAW": "\(raw.port)",
                "GONE": "\(gone.number)", "PLAIN": "\(free[0])", "TLS": "\(free[1])",
            ]
            let proxy = try PeerProcess("nginx", ["-p", ".", "-c", "event_proxy.conf", "-e", "stderr"]) { folder in
                try PeerProcess.write("event_proxy.conf", to: folder, replacing: names)
            }
            try await proxy.listens(on: free)
            return EventServer(
                events: events,
                proxy: proxy,
                gone: gone,
                hypercornPort: ports[0],
                uvicornPort: ports[1],
                nginxPort: free[0],
                nginxSecurePort: free[1]
            )
        }
    }
}
