// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport

/// A WebSocket server that was made by others, and told what to do on each path; see the scripts.
struct WebSocketServer: Sendable {
    /// The messages that it received on a WebSocket before that was closed.
    struct Report: Decodable, Equatable {
        /// The code of the client's Close frame; 1005 if that had none, `nil` or 1006 if there was no frame.
        var code: Int?
        var reason: String?
    }

    static let websockets = Task {
        try await Self.launch(Scripts.python, ["-B", Scripts.path("websockets_server.py")], needsCertificates: true)
    }
    static let aiohttp = Task {
        try await Self.launch(Scripts.python, ["-B", Scripts.path("aiohttp_server.py")])
    }
    /// Node looks for what Debian installs there only if it is told to.
    static let ws = Task {
        try await Self.launch("env", ["NODE_PATH=/usr/share/nodejs", "node", Scripts.path("ws_server.js")])
    }

    private let process: PeerProcess
    private let ports: [Int]

    var port: Int { self.ports[0] }
    /// Where it speaks TLS, if it does.
    var securePort: Int { self.ports[1] }
    /// A second address on which it listens, if any.
    var socketPath: String { self.process.folder.appending(path: "socket").path }
    /// The certificate of the authority that signed its own.
    var root: CertificateSource {
        .pemFile(path: self.process.folder.appending(path: "root.pem").path)
    }

    func get(_ path: String) -> Request { Request(.get, "ws://127.0.0.1:\(self.port)\(path)") }

    func getSecurely(_ path: String) -> Request { Request(.get, "wss://localhost:\(self.securePort)\(path)") }

    /// Returns what arrived on the WebSocket of this `?id=`; waits until it is closed.
    func report(_ id: String) async throws -> Report {
        let request = Request(.get, "http://127.0.0.1:\(self.port)/report").query("id", id)
        return try JSONDecoder().decode(
            Report.self,
            from: try await Client(configuration: .patient).data(for: request).0
        )
    }

    private static func launch(
        _ program: String,
        _ arguments: [String],
        needsCertificates: Bool = false
    ) async throws -> WebSocketServer {
        let process = try PeerProcess(program, arguments + ["ports.txt"]) { folder in
            if needsCertificates { try PeerProcess.run(Scripts.path("certificates.sh"), [], in: folder) }
        }
        let report = process.folder.appending(path: "ports.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        let ports = try String(contentsOf: report, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        return WebSocketServer(process: process, ports: ports)
    }
}
