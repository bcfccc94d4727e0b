// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Many calls to servers that allow few streams at a time, and that end each connection after 50 requests.
///
/// The environment variable `TERN_ALL_CALLS` makes each test send 10,000 calls. Without it, the tests with the lower
/// limits send fewer.
@Suite("HTTP/2: many calls through few streams", .hangLimit)
struct ConcurrencyLimitTests {
    /// A port of nginx, and the number of calls to send.
    struct Load: CustomTestStringConvertible, Sendable {
        let port: Nginx.Port
        let callCount: Int
        let taskCount: Int

        var testDescription: String { "\(self.port), \(self.callCount) calls" }

        init(_ port: Nginx.Port, _ callCount: Int, taskCount: Int) {
            let isLong = ProcessInfo.processInfo.environment["TERN_ALL_CALLS"] != nil
            (self.port, self.callCount, self.taskCount) = (port, isLong ? 10_000 : callCount, taskCount)
        }
    }

    static let loads = [
        Load(.http2By1, 1000, taskCount: 10), Load(.http2By10, 3000, taskCount: 30),
        Load(.http2By100, 10_000, taskCount: 200),
    ]

    @Test(arguments: ConcurrencyLimitTests.loads)
    func `the server answers each call, and none twice`(_ load: Load) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<load.taskCount {
                group.addTask {
                    for number in stride(from: task, to: load.callCount, by: load.taskCount) {
                        // The client repeats a POST only if the server has not processed it.
                        let request = Request(.post, nginx.url(.https, load.port, "/\(number)"))
                        let (data, response) = try await client.data(for: request)
                        guard data == Data("/\(number)".utf8), response.httpVersion == .http2 else {
                            Issue.record("\(number): \(response.statusCode)")
                            return
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        // nginx logs a request after it has answered.
        try await eventually("nginx has logged all") { try nginx.paths(load.port).count >= load.callCount }
        let paths = try nginx.paths(load.port)
        #expect(paths.count == load.callCount)
        #expect(Set(paths).count == load.callCount)
    }
}
