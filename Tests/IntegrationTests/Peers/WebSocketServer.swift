// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport

/// A WebSocket server of another project, whose script gives each path a behavior.
struct WebSocketServer: Sendable {
    /// The messages that the server received on a WebSocket until it was closed.
    struct Report: Decodable, Equatable {
        /// The code of the client's Close frame.
        ///
        /// It is 1005 for a frame without a code, and `nil` or 1006 without a Close frame.
        var code: Int?
        var reason: String?
    }

    static let websockets = Task {
        try await Self.launch(Scripts.python, ["-B", Scripts.path("websockets_server.py")], needsCertificates: true)
    }
    static let aiohttp = Task {
        try await Self.launch(Scripts.python, ["-B", Scripts.path("aiohttp_server.py")])
    }
    /// The server with Node's `ws`.
    ///
    /// Node finds Debian's packages only with a search path.
    static let ws = Task {
        try await Self.launch("env", ["NODE_PATH=/usr/share/nodejs", "node", Scripts.path("ws_server.js")])
    }

    private let process: PeerProcess
    private let ports: [Int]

    var port: Int { self.ports[0] }
    /// The port with TLS, if the server has one.
    var securePort: Int { self.ports[1] }
    /// The path of a Unix-domain socket on which the server also listens, if it does.
    var socketPath: String { self.process.folder.appending(path: "socket").path }
    /// The certificate of the authority that signed the server's certificate.
    var root: CertificateSource {
        .pemFile(path: self.process.folder.appending(path: "root.pem").path)
    }

    func get(_ path: String) -> Request { Request(.get, "ws://127.0.0.1:\(self.port)\(path)") }

    func getSecurely(_ path: String) -> Request { Request(.get, "wss://localhost:\(self.securePort)\(path)") }

    /// Returns the report about the WebSocket with this `?id=`; waits until the WebSocket is closed.
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
