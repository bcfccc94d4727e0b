// SPDX-License-Identifier: Apache-2.0
// The code in the article "In a server". scripts/check snippets fails if the two copies
// differ.
import Foundation
import Logging
import Tern
import TernObservability

/// A stand-in for the response of a server framework.
protocol ServerResponse: Sendable {
    func writeHead(_ status: Int, _ fields: HTTPFields) async throws
    func write(_ bytes: Data) async throws
}

func makeServerClient() -> Client {
    // snippet.server-client
    var configuration = Client.Configuration()
    configuration.timeouts.connect = .seconds(3)
    configuration.timeouts.firstByte = .seconds(15)
    configuration.maximumBodyByteCount = 8 << 20
    configuration.pool.maximumConnectionsPerHost = 200
    configuration.monitors = [LoggingMonitor(Logger(label: "calls")), MetricsMonitor()]
    configuration.addTracing()
    let client = Client(configuration: configuration)
    // snippet.end
    return client
}

// snippet.server-fields
/// Returns the fields that may pass to the next connection (RFC 9110 §7.6.1).
func endToEnd(_ fields: HTTPFields) -> HTTPFields {
    var names: Set = [
        "connection", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "transfer-encoding", "upgrade",
    ]
    for list in fields[values: .connection] {
        for name in list.split(separator: ",") {
            names.insert(name.trimmingCharacters(in: .whitespaces).lowercased())
        }
    }
    var kept = fields
    kept.removeAll { names.contains($0.name.canonicalName) }
    return kept
}
// snippet.end

// snippet.server-forward
func forward(
    _ fields: HTTPFields,
    _ body: some AsyncSequence<Data, any Error> & Sendable,
    to url: URL,
    by client: Client
) async throws(ClientError) -> (ResponseBytes, Response) {
    var fields = endToEnd(fields)
    fields["Host"] = nil  // the client sets the host, and the length or the chunks
    fields[.contentLength] = nil
    let request = Request(.post, url, fields: fields).body(stream: body)
    return try await client.bytes(for: request.redirects(.never))
}
// snippet.end

func handle(
    _ fields: HTTPFields,
    _ body: some AsyncSequence<Data, any Error> & Sendable,
    to url: URL,
    by client: Client,
    answering answer: some ServerResponse
) async throws {
    // snippet.server-answer
    let (bytes, response) = try await forward(fields, body, to: url, by: client)
    try await answer.writeHead(response.statusCode, endToEnd(response.fields))
    for try await chunk in bytes.chunks { try await answer.write(chunk) }
    // snippet.end
}
