// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern
import TestSupport
import Testing

/// A server that answers each path in another way, mostly a wrong one; see `raw_server.py`.
///
/// Each value has a separate port, so that a test can count its own connections.
struct RawServer: Sendable {
    private struct Launched: Sendable {
        let process: PeerProcess
        let ports: [Int]
        let fullPort: Int
        let usedPortCount = UseCount()
    }

    private final class UseCount: Sendable {
        let value = Atomic(0)
    }

    private static let start = Task { try await Self.launch(.http, portCount: 512) }
    private static let secureStart = Task { try await Self.launch(.https, portCount: 16) }

    private let scheme: Scheme
    private let folder: URL
    let port: Int
    /// The sockets of this process that were connected to the same port of an earlier server.
    ///
    /// They do not count as connections to this server.
    private let foreign: Set<Substring>
    /// A port that accepts no connections.
    ///
    /// Its queue is full, so the system ignores attempts to connect.
    let fullPort: Int

    private static let common = Task { try await RawServer() }

    /// The server for all tests that do not count its connections.
    static var shared: RawServer { get async throws { try await Self.common.value } }

    /// Takes a new port of this process's server with TLS, or of its server without TLS.
    init(_ scheme: Scheme = .http) async throws {
        let server = try await (scheme == .http ? Self.start : Self.secureStart).value
        let number = server.usedPortCount.value.add(1, ordering: .relaxed).oldValue
        precondition(number < server.ports.count, "more tests use the raw server than it has ports")
        self.scheme = scheme
        self.folder = server.process.folder
        self.port = server.ports[number]
        self.foreign = OpenSockets.numbers(toPort: self.port)
        self.fullPort = server.fullPort
    }

    var origin: String { "\(self.scheme)://127.0.0.1:\(self.port)" }

    func url(_ path: String) -> String { self.origin + path }

    func get(_ path: String) -> Request { Request(.get, self.url(path)) }

    /// Returns a client that trusts the server's certificate, if the server has one.
    func makeClient() -> Client {
        var configuration = Client.Configuration.patient
        if self.scheme == .https {
            configuration.tls.trust = .only([.pemFile(path: self.folder.appending(path: "root.pem").path)])
        }
        return Client(configuration: configuration)
    }

    /// The number of connections that this process has to the server.
    var connectionCount: Int { OpenSockets.numbers(toPort: self.port).subtracting(self.foreign).count }

    /// Waits until this process has a connection to the server.
    func isReached() async throws {
        try await eventually("a connection to the server is open") { self.connectionCount == 1 }
    }

    /// Waits until this process has no connection to the server.
    func isLeft() async throws {
        try await eventually("no connection to the server is open: \(OpenSockets.lines(toPort: self.port))") {
            self.connectionCount == 0
        }
    }

    /// Cancels a call as soon as `reached` returns.
    ///
    /// The call must end with `.cancelled`, and leave no connection to this server open.
    func expectCancellation(
        when reached: () async throws -> Void,
        of call: @escaping @Sendable () async throws(ClientError) -> Void
    ) async throws {
        let task = Task { await fault(of: call) }
        try await reached()
        task.cancel()
        #expect(await task.value == .cancelled)
        try await self.isLeft()
    }

    /// Opens a gate, so that the answer to a request with this `?gate=` continues.
    func open(gate: String) async throws {
        _ = try await Client(configuration: .patient).data(for: self.get("/open").query("gate", gate))
    }

    /// Returns the code of the Close frame that the server received on the WebSocket with this `?id=`; 1006 without a
    /// Close frame.
    func closeCode(_ id: String) async throws -> String {
        String(
            decoding: try await Client(configuration: .patient).data(for: self.get("/ws-code").query("id", id)).0,
            as: UTF8.self
        )
    }

    private static func launch(_ scheme: Scheme, portCount: Int) async throws -> Launched {
        // -B: Python writes no files beside the scripts.
        var script = ["-B", Scripts.path("raw_server.py"), "ports.txt", "\(portCount)"]
        if scheme == .https { script += ["good.pem", "good.key"] }
        let process = try PeerProcess("python3", script) { folder in
            if scheme == .https { try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder) }
        }
        let report = process.folder.appending(path: "ports.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        var ports = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        return Launched(process: process, ports: ports, fullPort: ports.removeLast())
    }
}
