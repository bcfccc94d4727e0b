// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests against `openssl s_server` with a self-signed certificate.
@Suite("A server whose certificate is not trusted", .hangLimit)
struct UntrustedServerTests {
    /// A server, and the folder with its certificate, `cert.pem`.
    private struct Server {
        let folder: TemporaryFolder
        let port: Int
        let process: PeerProcess

        static func start() async throws -> Server {
            let folder = try TemporaryFolder()
            let recipe = [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ]
            try PeerProcess.run("openssl", recipe, in: folder.url)
            let port = try #require(try LoopbackPort.free(1).first)
            let process = try PeerProcess(
                "openssl",
                [
                    "s_server", "-accept", "\(port)", "-www", "-quiet", "-key", folder.file("key.pem").path, "-cert",
                    folder.file("cert.pem").path,
                ]
            )
            try await process.ready { LoopbackPort.answers(port) }
            return Server(folder: folder, port: port, process: process)
        }

        func run(_ program: String, _ arguments: [String]) async throws -> RunningProgram.Result {
            let url = "https://localhost:\(self.port)/"
            return try await RunningProgram.run(program, arguments + [url], in: self.folder)
        }
    }

    @Test func `it is refused, unless its certificate is named or nothing is checked`() async throws {
        let server = try await Server.start()
        let lines: [(arguments: [String], exitCode: Int32)] = [
            (["-sS"], 60), (["-sSk"], 0), (["-s", "--insecure"], 0), (["-s", "--cacert", "cert.pem"], 0),
            (["-sk", "--tlsv1.3"], 0), (["-sk", "--tls-max", "1.2"], 0),
        ]
        for (arguments, exitCode) in lines {
            let result = try await server.run(RunningProgram.ternCLI, arguments)
            #expect(result.exitCode == exitCode, "\(arguments): \(result.errors)")
            #expect(result.output.contains("s_server") == (exitCode == 0))
            guard let curl = RunningProgram.curl else { continue }
            #expect(try await server.run(curl, arguments).exitCode == exitCode, "\(arguments)")
        }
    }
}
#endif
