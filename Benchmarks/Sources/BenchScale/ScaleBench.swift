// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import FoundationEssentials
internal import Glibc
internal import Tern

/// Measures how Tern's cost grows with the number of connections, WebSockets and hosts; prints one row of a Markdown table.
///
/// `bench-scale connections|websockets N PORT`, `bench-scale hosts N PORT` or `bench-scale churn KIND PORT`. The port is
/// that of a `bench-server --addresses 100`.
@main struct ScaleBench {
    let port: Int
    let client: Client

    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            guard arguments.count == 3, let kind = arguments.first, let port = arguments.last.flatMap(Int.init) else {
                throw UnexpectedAnswer("wants a kind, a value and a port")
            }
            let value = arguments[arguments.startIndex + 1]
            let row = try await Self.row(kind, value, port)
            print("| \(row.joined(separator: " | ")) |")
            fflush(nil)
        } catch {
            let message = "error: \(error)\n"
            _ = message.withCString { write(2, $0, strlen($0)) }
            exit(1)
        }
    }

    private static func row(_ kind: String, _ value: String, _ port: Int) async throws -> [String] {
        if kind == "churn" { return try await Churn.row(value, port) }
        guard let count = Int(value), count > 0 else { throw UnexpectedAnswer("\(value) is not a number above zero") }
        switch kind {
        case "connections": return try await Self(port, room: count + 1).connections(count)
        case "websockets": return try await Self(port, room: 1).webSockets(count)
        case "hosts": return try await Self(port, room: nil).hosts(count)
        default: throw UnexpectedAnswer("the kind \(kind) is unknown")
        }
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - port: The server's port.
    ///   - room: The maximum number of connections; `nil` for the defaults.
    init(_ port: Int, room: Int?) {
        var configuration = Client.Configuration()
        if let room {
            configuration.pool.maximumConnectionsPerHost = room
            configuration.pool.maximumIdleConnections = room
        }
        self.port = port
        self.client = Client(configuration: configuration)
    }

    /// Makes calls at the same time, and waits for all of them.
    func calls(_ count: Int, _ url: @escaping @Sendable (Int) -> String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { try await self.call(url(number)) }
            }
            try await group.waitForAll()
        }
    }

    func call(_ url: String) async throws {
        guard let url = URL(string: url) else { throw UnexpectedAnswer("not a URL: \(url)") }
        let (data, response) = try await self.client.data(from: url)
        try UnexpectedAnswer.check(status: response.status.code)
        guard data.count == 1024 else { throw UnexpectedAnswer("\(data.count) bytes") }
    }

    /// 1,000 calls at once, which go to all hosts in turn, with the default limits.
    private func hosts(_ count: Int) async throws -> [String] {
        let callCount = 1000, port = self.port
        try await self.call("http://127.0.0.1:\(port)/small")
        let spent = try await Spent.by {
            try await self.calls(callCount) { "http://127.0.0.\($0 % count + 1):\(port)/small" }
        }
        let again = try await Spent.by {
            try await self.calls(callCount) { "http://127.0.0.\($0 % count + 1):\(port)/small" }
        }
        return [
            "\(count)", spent.milliseconds, spent.microsecondsOfProcessor(by: callCount), again.milliseconds,
            again.microsecondsOfProcessor(by: callCount), "\(Resources.peakKiB / 1024)",
        ]
    }
}
