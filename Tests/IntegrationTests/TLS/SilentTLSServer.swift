// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TestSupport

/// A server that completes a TLS handshake, reads, and then sends nothing, not even a closure alert; see
/// `tls_silent.py`.
struct SilentTLSServer: Sendable {
    let port: Int
    private let process: PeerProcess
    private let root: String

    init() async throws {
        let matrix = try CertificateMatrix.shared
        let arguments = [
            "-B", Scripts.path("tls_silent.py"), matrix.chainFile(.valid), matrix.keyFile(.valid), "port.txt",
        ]
        let process = try PeerProcess("python3", arguments)
        let report = process.folder.appending(path: "port.txt")
        try await process.ready { FileManager.default.fileExists(atPath: report.path) }
        let text = try String(contentsOf: report, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        self.port = Int(text) ?? 0
        self.process = process
        self.root = matrix.rootFile
    }

    var url: String { "https://localhost:\(self.port)/" }

    /// The number of connections that this process has to the server.
    var connectionCount: Int { OpenSockets.count(toPort: self.port) }

    /// Returns a client that trusts the server, with a maximum number of connections to it.
    func makeClient(connections: Int, _ change: (inout Client.Configuration) -> Void = { _ in }) -> Client {
        Client {
            $0.tls.trust = .only([.pemFile(path: self.root)])
            $0.pool.maximumConnectionsPerHost = connections
            change(&$0)
        }
    }
}
