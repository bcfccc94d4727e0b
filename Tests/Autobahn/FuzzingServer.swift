// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// A fuzzing server: it says how many cases it has, plays each against a client that echoes, and judges.
struct FuzzingServer {
    struct CaseInfo: Decodable {
        var id: String
    }

    struct CaseStatus: Decodable {
        var behavior: String
    }

    /// The end of a case.
    struct Verdict: CustomStringConvertible {
        /// The number of the case, such as `6.4.1`.
        var id: String
        /// The server's word for it.
        var behavior: String

        /// Whether the client did what the protocol asks for, in whatever order.
        var isAcceptable: Bool { ["OK", "NON-STRICT", "INFORMATIONAL"].contains(self.behavior) }

        var description: String { "\(self.id) \(self.behavior)" }
    }

    /// A server did not answer as it should.
    struct Failure: Error {
        var path: String
    }

    private static let agent = "tern"

    private let client = Client()
    private let url: String
    private let options: WebSocketOptions

    init(_ url: String) {
        self.url = url
        // The largest message of the suite has 16 MiB; compressing every message exercises most.
        self.options = WebSocketOptions(maximumMessageByteCount: 32 << 20)
    }

    func caseCount() async throws -> Int {
        guard let count = Int(try await self.ask("/getCaseCount")) else { throw Failure(path: "/getCaseCount") }
        return count
    }

    /// Plays one case, and asks how it ended.
    func play(_ number: Int) async throws -> Verdict {
        await self.run(number)
        return try await self.verdict(of: number)
    }

    /// Every message goes back as it came, until the server has closed or broken something.
    private func run(_ number: Int) async {
        do {
            let request = Request(.get, "\(self.url)/runCase?case=\(number)&agent=\(Self.agent)")
            let socket = try await self.client.webSocket(for: request, options: self.options)
            for try await message in socket { try await socket.send(message, compression: .always) }
            await socket.close()
        } catch {
            // Many cases end like this; the server knows which.
        }
    }

    private func verdict(of number: Int) async throws -> Verdict {
        let info = Data(try await self.ask("/getCaseInfo?case=\(number)").utf8)
        let status = Data(try await self.ask("/getCaseStatus?case=\(number)&agent=\(Self.agent)").utf8)
        let id = try JSONDecoder().decode(CaseInfo.self, from: info).id
        return Verdict(id: id, behavior: try JSONDecoder().decode(CaseStatus.self, from: status).behavior)
    }

    /// Has the server write its reports.
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
