// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Tern

/// The scripts of the raw server for the scenarios; see `scenario_scripts.py`.
struct ScenarioServer: Sendable {
    /// A request as the server got it.
    struct Seen: Decodable, Equatable {
        var method: String
        var parameters: [String: [String]]
        var fields: [String: [String]]
        var body: String
        var trailers: [String: [String]]

        /// The values of a field, each by itself, whether they came in one line or in several.
        func values(_ name: String) -> [String] {
            let lines = self.fields.filter { $0.key.lowercased() == name.lowercased() }.flatMap(\.value)
            return lines.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
        }
    }

    private static let lastID = Atomic(0)

    let server: RawServer
    let client: Client

    /// A client of its own, with the defaults, but for limits of time and for what the closure changes.
    init(_ change: (inout Client.Configuration) -> Void = { _ in }) async throws {
        self.server = try await RawServer.shared
        self.client = Client { configuration in
            // The server ignores `Expect`: each body of unknown length would wait a second for its answer.
            configuration.expectContinueThreshold = nil
            change(&configuration)
        }
    }

    /// Text that no other test uses as `?id=`.
    static func makeID() -> String { "scenario-\(Self.lastID.add(1, ordering: .relaxed).newValue)" }

    func request(_ method: HTTPRequest.Method, _ name: String) -> Request {
        Request(method, self.server.url("/scenario/\(name)"))
    }

    func get(_ name: String) -> Request { self.request(.get, name) }

    /// Sends a request, and gives the body as text, and the response.
    func text(_ request: Request) async throws -> (String, Response) {
        let (data, response) = try await self.client.data(for: request)
        return (String(decoding: data, as: UTF8.self), response)
    }

    /// Sends a request, and tells how the server saw it.
    func seen(_ request: Request) async throws -> Seen {
        let (data, response) = try await self.client.data(for: request)
        guard response.status == .ok else { throw BadAnswer(status: response.statusCode) }
        return try JSONDecoder().decode(Seen.self, from: data)
    }

    struct BadAnswer: Error { var status: Int }
}
