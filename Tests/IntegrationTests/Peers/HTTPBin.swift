// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tern
import TestSupport

/// An httpbin server, which reports the requests that it receives.
struct HTTPBin: Sendable {
    /// The server's report about a request.
    struct Report: Decodable {
        var args: [String: String]?
        var data: String?
        var form: [String: String]?
        var headers: [String: String]
        var method: String?
        var url: String?
    }

    private static let start = Task { try await Self.launch() }

    /// The server that all tests of this process share.
    static var shared: HTTPBin { get async throws { try await Self.start.value } }

    private let process: PeerProcess
    private let port: Int

    func url(_ path: String) -> String { "http://127.0.0.1:\(self.port)\(path)" }

    /// Returns the report in the body of a response.
    static func report(_ reply: (body: Data, response: Response)) throws -> Report {
        try JSONDecoder().decode(Report.self, from: reply.body)
    }

    private static func launch() async throws -> HTTPBin {
        let process = try PeerProcess(
            Scripts.python,
            ["-u", "-m", "waitress", "--threads=8", "--listen=127.0.0.1:0", "httpbin:app"]
        )
        let port = Mutex(0)
        try await process.ready {
            guard let match = process.output.firstMatch(of: /Serving on http:\/\/127.0.0.1:(\d+)/) else { return false }
            port.withLock { $0 = Int(match.1) ?? 0 }
            return true
        }
        return HTTPBin(process: process, port: port.withLock { $0 })
    }
}
