// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// A connection to a fuzzing server, which runs test cases against a client that echoes messages, and says whether each
/// passed.
struct FuzzingServer {
    struct CaseInfo: Decodable {
        var id: String
    }

    struct CaseStatus: Decodable {
        var behavior: String
    }

    /// The result of a case.
    struct Verdict: CustomStringConvertible {
        /// The number of the case, such as `6.4.1`.
        var id: String
        /// The result in the server's words, such as `OK`.
        var behavior: String

        /// Whether the client obeyed the protocol, even if not in the strictest way.
        var isAcceptable: Bool { ["OK", "NON-STRICT", "INFORMATIONAL"].contains(self.behavior) }

        var description: String { "\(self.id) \(self.behavior)" }
    }

    /// The error for a server that sends an unexpected answer.
    struct Failure: Error {
        var path: String
    }

    private static let agent = "tern"

    private let client = Client()
    private let url: String
    private let options: WebSocketOptions

    init(_ url: String) {
        self.url = url
        // The largest message of the suite has 16 MiB. Every message is compressed, to test as much code as possible.
        self.options = WebSocketOptions(maximumMessageByteCount: 32 << 20)
    }

    func caseCount() async throws -> Int {
        guard let count = Int(try await self.ask("/getCaseCount")) else { throw Failure(path: "/getCaseCount") }
        return count
    }

    /// Runs one case, and asks the server for the result.
    func play(_ number: Int) async throws -> Verdict {
        await self.run(number)
        return try await self.verdict(of: number)
    }

    /// Runs one case: sends every message back unchanged, until the server closes the connection or breaks a rule.
    private func run(_ number: Int) async {
        do {
            let request = Request(.get, "\(self.url)/runCase?case=\(number)&agent=\(Self.agent)")
            let socket = try await self.client.webSocket(for: request, options: self.options)
            for try await message in socket { try await socket.send(message, compression: .always) }
            await socket.close()
        } catch {
            // Many cases end with an error. The server knows which cases may.
        }
    }

    private func verdict(of number: Int) async throws -> Verdict {
        let info = Data(try await self.ask("/getCaseInfo?case=\(number)").utf8)
        let status = Data(try await self.ask("/getCaseStatus?case=\(number)&agent=\(Self.agent)").utf8)
        let id = try JSONDecoder().decode(CaseInfo.self, from: info).id
        return Verdict(id: id, behavior: try JSONDecoder().decode(CaseStatus.self, from: status).behavior)
    }

    /// Makes the server write its reports.
    func updateReports() async throws { _ = try? await self.ask("/updateReports?agent=\(Self.agent)") }

    private func ask(_ path: String) async throws -> String {
        let socket = try await self.client.webSocket(for: Request(.get, self.url + path))
        for try await message in socket {
            guard case .text(let text) = message else { continue }
            await socket.close()
            return text
        }
        throw Failure(path: path)
    }
}
