// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import Tern

/// A pool whose connections end all the time, with 64 calls in flight.
enum Churn {
    private static let callCount = 20_000
    private static let concurrency = 64

    /// Measures one kind of churn.
    ///
    /// - Parameters:
    ///   - kind: `none`, for connections that stay open; `tenth` or `all`, for a server that closes the connection after
    ///     that part of the responses; or `room`, for 100 hosts and a pool that keeps 10 idle connections.
    ///   - port: The server's port.
    /// - Returns: The cells of the row.
    /// - Throws: An error of a call, or `UnexpectedAnswer` if the kind is unknown.
    static func row(_ kind: String, _ port: Int) async throws -> [String] {
        let last = "http://127.0.0.1:\(port)/last", small = "http://127.0.0.1:\(port)/small"
        let url: @Sendable (Int) -> String
        var room: Int?
        switch kind {
        case "none": url = { _ in small }
        case "tenth": url = { $0 % 10 == 0 ? last : small }
        case "all": url = { _ in last }
        case "room":
            url = { "http://127.0.0.\($0 % 100 + 1):\(port)/small" }
            room = 10
        default: throw UnexpectedAnswer("the kind \(kind) is unknown")
        }
        let bench = ScaleBench(port, room: room)
        try await bench.call(small)
        let before = Resources.residentKiB
        let spent = try await Spent.by {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<self.concurrency {
                    group.addTask {
                        for number in stride(from: task, to: self.callCount, by: self.concurrency) {
                            try await bench.call(url(number))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        return [
            kind, "\(Int(Double(self.callCount) / spent.seconds))", spent.microsecondsOfProcessor(by: self.callCount),
            "\(Resources.residentKiB - before)",
        ]
    }
}
