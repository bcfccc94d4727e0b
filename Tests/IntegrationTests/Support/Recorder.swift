// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern

/// A resource of the raw server that challenges or redirects, and records the requests of one test.
///
/// See `authentication_scripts.py`.
struct Recorder: Sendable {
    /// A request as the server received it.
    struct Seen: Decodable, Equatable {
        var method: String
        var target: String
        /// The fields by their names in lower case.
        var fields: [String: String]
        var body: String

        /// The path without the query.
        var path: Substring { self.target.prefix { $0 != "?" } }
        var authorization: String? { self.fields["authorization"] }
        /// Returns a parameter of Digest in the request.
        func parameter(_ name: String) -> String? {
            let value = self.authorization ?? ""
            guard let start = value.firstRange(of: " \(name)=")?.upperBound else { return nil }
            let rest = value[start...]
            return rest.hasPrefix("\"")
                ? String(rest.dropFirst().prefix { $0 != "\"" }) : String(rest.prefix { $0 != "," })
        }
    }

    private static let other = Task { try await RawServer() }
    private static let lastID = Atomic(0)

    private let server: RawServer
    let id: String

    /// Creates a resource with separate state.
    ///
    /// If `isOther` is `true`, the resource has another port.
    init(isOther: Bool = false) async throws {
        self.server = isOther ? try await Self.other.value : try await RawServer.shared
        self.id = "seen-\(Self.lastID.add(1, ordering: .relaxed).newValue)"
    }

    /// Returns the URL of a path, with values in its query.
    func url(_ path: String, _ query: KeyValuePairs<String, String> = [:], host: String = "127.0.0.1") -> String {
        var request = Request(.get, "http://\(host):\(self.server.port)\(path)").query("id", self.id)
        for (name, value) in query { request = request.query(name, value) }
        return request.url.absoluteString
    }

    /// Returns a URL that redirects to another one.
    func redirect(_ status: Int = 302, by scheme: String? = nil, to place: String...) -> String {
        var request = Request(.get, self.url("/go")).query("status", status).query("by", scheme)
        for each in place { request = request.query("to", each) }
        return request.url.absoluteString
    }

    func get(_ path: String, _ query: KeyValuePairs<String, String> = [:]) -> Request {
        Request(.get, self.url(path, query))
    }

    /// Opens the gate with the name `id`, so that the answers that wait for it continue.
    func open() async throws { try await self.server.open(gate: self.id) }

    /// Returns the requests that the resource has received, in order.
    func seen() async throws -> [Seen] {
        let (data, _) = try await Client(configuration: .patient).data(
            for: Request(.get, self.server.url("/log")).query("id", self.id)
        )
        return try JSONDecoder().decode([Seen].self, from: data)
    }
}

extension Client {
    /// Creates a client with a changed configuration.
    convenience init(delegate: (any TaskDelegate)? = nil, _ change: (inout Client.Configuration) -> Void) {
        var configuration = Client.Configuration.patient
        change(&configuration)
        self.init(configuration: configuration, delegate: delegate)
    }

    /// Sends a request, and returns the status of the response.
    func status(_ request: Request, delegate: (any TaskDelegate)? = nil) async throws(ClientError) -> Int {
        try await self.data(for: request, delegate: delegate).1.statusCode
    }
}
