// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern

/// A place that challenges or redirects, and remembers the requests of one test; see `authentication_scripts.py`.
struct Recorder: Sendable {
    /// A request as the server got it.
    struct Seen: Decodable, Equatable {
        var method: String
        var target: String
        /// By name in lower case.
        var fields: [String: String]
        var body: String

        /// The path alone.
        var path: Substring { self.target.prefix { $0 != "?" } }
        var authorization: String? { self.fields["authorization"] }
        /// A parameter of Digest.
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

    /// A resource with separate state; `isOther` if it must listen on another port.
    init(isOther: Bool = false) async throws {
        self.server = isOther ? try await Self.other.value : try await RawServer.shared
        self.id = "seen-\(Self.lastID.add(1, ordering: .relaxed).newValue)"
    }

    /// The URL of a path, with values in its query.
    func url(_ path: String, _ query: KeyValuePairs<String, String> = [:], host: String = "127.0.0.1") -> String {
        var request = Request(.get, "http://\(host):\(self.server.port)\(path)").query("id", self.id)
        for (name, value) in query { request = request.query(name, value) }
        return request.url.absoluteString
    }

    /// The URL of a redirect.
    func redirect(_ status: Int = 302, by scheme: String? = nil, to place: String...) -> String {
        var request = Request(.get, self.url("/go")).query("status", status).query("by", scheme)
        for each in place { request = request.query("to", each) }
        return request.url.absoluteString
    }

    func get(_ path: String, _ query: KeyValuePairs<String, String> = [:]) -> Request {
        Request(.get, self.url(path, query))
    }

    /// Lets the answers go on that wait for a gate named as `id` is.
    func open() async throws { try await self.server.open(gate: self.id) }

    /// The requests that it got, in order.
    func seen() async throws -> [Seen] {
        let (data, _) = try await Client(configuration: .patient).data(
            for: Request(.get, self.server.url("/log")).query("id", self.id)
        )
        return try JSONDecoder().decode([Seen].self, from: data)
    }
}

extension Client {
    /// A client with a configuration of its own.
    convenience init(delegate: (any TaskDelegate)? = nil, _ change: (inout Client.Configuration) -> Void) {
        var configuration = Client.Configuration.patient
        change(&configuration)
        self.init(configuration: configuration, delegate: delegate)
    }

    /// The status of the answer to a request.
    func status(_ request: Request, delegate: (any TaskDelegate)? = nil) async throws(ClientError) -> Int {
        try await self.data(for: request, delegate: delegate).1.statusCode
    }
}
