// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TestSupport

/// The test server of openssl, which can misbehave more than a real server.
///
/// It serves one connection after the other.
struct OpenSSLServer: Sendable {
    let port: Int
    private let process: PeerProcess

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - row: The certificates that it presents.
    ///   - options: Further options of `openssl s_server`. Defaults to no options.
    /// - Returns: A server that listens.
    /// - Throws: `PeerProcess.Failure` if the server could not be started.
    static func launch(
        _ row: CertificateMatrix.Row = .valid,
        _ options: [String] = []
    ) async throws -> OpenSSLServer {
        let matrix = try CertificateMatrix.shared
        return try await PeerProcess.withFreePorts(1) { ports in
            let chain = matrix.chainFile(row)
            let arguments = [
                // The system's configuration must have no effect here.
                "OPENSSL_CONF=/dev/null", "openssl", "s_server", "-accept", "127.0.0.1:\(ports[0])", "-WWW",
                "-cert", chain, "-cert_chain", chain, "-key", matrix.keyFile(row),
            ]
            let process = try PeerProcess("env", arguments + options) { folder in
                try Data("hello".utf8).write(to: folder.appending(path: "answer"))
            }
            try await process.listens(on: ports)
            return OpenSSLServer(port: ports[0], process: process)
        }
    }

    /// Ends the server and all its connections.
    func stop() { self.process.stop() }

    func get(host: String = "localhost") -> Request { Request(.get, "https://\(host):\(self.port)/answer") }
}
