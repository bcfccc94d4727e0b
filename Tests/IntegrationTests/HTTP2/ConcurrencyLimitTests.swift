// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Many calls to servers that allow few streams at a time, and that end each connection after 50 requests.
@Suite("HTTP/2: many calls through few streams", .hangLimit)
struct ConcurrencyLimitTests {
    /// A port of nginx, and the number of tasks that send calls.
    struct Load: CustomTestStringConvertible, Sendable {
        let port: Nginx.Port
        let taskCount: Int

        var testDescription: String { "\(self.port), \(self.taskCount) tasks" }
    }

    private static let callCount = 10_000

    static let loads = [
        Load(port: .http2By1, taskCount: 10), Load(port: .http2By10, taskCount: 30),
        Load(port: .http2By100, taskCount: 200),
    ]

    @Test(arguments: ConcurrencyLimitTests.loads)
    func `the server answers each call, and none twice`(_ load: Load) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<load.taskCount {
                group.addTask {
                    for number in stride(from: task, to: Self.callCount, by: load.taskCount) {
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
        try await eventually("nginx has logged all") { try nginx.paths(load.port).count >= Self.callCount }
        let paths = try nginx.paths(load.port)
        #expect(paths.count == Self.callCount)
        #expect(Set(paths).count == Self.callCount)
    }
}
