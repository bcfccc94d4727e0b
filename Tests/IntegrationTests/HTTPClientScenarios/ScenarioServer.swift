// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Tern

/// A raw server that runs the scripts for the scenarios; see `scenario_scripts.py`.
struct ScenarioServer: Sendable {
    /// A request as the server received it.
    struct Seen: Decodable, Equatable {
        var method: String
        var parameters: [String: [String]]
        var fields: [String: [String]]
        var body: String
        var trailers: [String: [String]]

        /// Returns the values of a field one by one, even if they arrived in one line.
        func values(_ name: String) -> [String] {
            let lines = self.fields.filter { $0.key.lowercased() == name.lowercased() }.flatMap(\.value)
            return lines.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
        }
    }

    private static let lastID = Atomic(0)

    let server: RawServer
    let client: Client

    /// Creates a scenario with a separate client, whose exchanges go through a transport.
    ///
    /// The client has the default configuration, except for time limits that no test reaches and for the changes of the
    /// closure.
    init(
        _ transport: TestedTransport = .own,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws {
        self.server = try await RawServer.shared
        var configuration = Client.Configuration.patient
        // The server ignores `Expect`, so each body of unknown length would wait one second for the server's interim
        // response.
        configuration.expectContinueThreshold = nil
        change(&configuration)
        self.client = transport.makeClient(configuration)
    }

    /// Returns a text for `?id=` that no other test uses.
    static func makeID() -> String { "scenario-\(Self.lastID.add(1, ordering: .relaxed).newValue)" }

    func request(_ method: HTTPRequest.Method, _ name: String) -> Request {
        Request(method, self.server.url("/scenario/\(name)"))
    }

    func get(_ name: String) -> Request { self.request(.get, name) }

    /// Sends a request, and returns the body as text, and the response.
    func text(_ request: Request) async throws -> (String, Response) {
        let (data, response) = try await self.client.data(for: request)
        return (String(decoding: data, as: UTF8.self), response)
    }

    /// Sends a request, and returns the request as the server received it.
    func seen(_ request: Request) async throws -> Seen {
        let (data, response) = try await self.client.data(for: request)
        guard response.status == .ok else { throw BadAnswer(status: response.statusCode) }
        return try JSONDecoder().decode(Seen.self, from: data)
    }

    struct BadAnswer: Error { var status: Int }
}
