// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// Makes each of the four calls several times, and records each of them: the program that scripts/walk runs.
///
/// Arguments: the port of `server.py`, an empty folder, and the number of rounds.
@main struct Walk {
    static func main() async throws {
        let port = CommandLine.arguments[1]
        let folder = URL(filePath: CommandLine.arguments[2], directoryHint: .isDirectory)
        let rounds = Int(CommandLine.arguments[3]) ?? 1
        guard let server = URL(string: "http://127.0.0.1:\(port)") else { return }
        try await Self.get(server, rounds)
        try await Self.post(server, rounds)
        try await Self.receive(server, rounds)
        try await Self.download(server, folder, rounds)
    }

    static func get(_ server: URL, _ rounds: Int) async throws {
        let client = Client()
        let url = server.appending(path: "small")
        for round in 0...rounds {
            try await Self.record("GET over a warm connection", if: round > 0) { _ = try await client.data(from: url) }
        }
    }

    static func post(_ server: URL, _ rounds: Int) async throws {
        var configuration = Client.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        let client = Client(configuration: configuration)
        let request = Request(.post, server.appending(path: "upload"))
        let body = Data(repeating: 1, count: 1 << 20)
        for round in 0...rounds {
            try await Self.record("POST of 1 MiB over HTTP/2", if: round > 0) {
                _ = try await client.upload(for: request, from: body)
            }
        }
    }

    static func receive(_ server: URL, _ rounds: Int) async throws {
        let socket = try await Client().webSocket(from: server.appending(path: "later"))
        for round in 0...rounds {
            try await socket.send("now")
            try await Self.record("received WebSocket message", if: round > 0) {
                var messages = socket.makeAsyncIterator()
                _ = try await messages.next()
            }
        }
        await socket.close()
    }

    static func download(_ server: URL, _ folder: URL, _ rounds: Int) async throws {
        let client = Client()
        let url = server.appending(path: "file")
        for round in 0...rounds {
            let file = folder.appending(path: "\(round)")
            try await Self.record("download with resuming", if: round > 0) {
                _ = try await client.download(from: url, to: file, resuming: .automatic)
            }
        }
    }

    /// Runs a call, and records it unless it is the first, which opens the connection.
    static func record(_ name: String, if isRecorded: Bool, _ call: () async throws -> Void) async throws {
        // What the call before has left, such as giving back its connection, is over then.
        try await Task.sleep(for: .milliseconds(20))
        if isRecorded { walk_begin() }
        try await call()
        if isRecorded { walk_end(name) }
    }
}
