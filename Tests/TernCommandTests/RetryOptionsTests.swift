// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import Testing

@testable import TernCommand

@Suite("--retry")
struct RetryOptionsTests {
    @Test func `a count is that of the tries after the first`() throws {
        #expect(try RetryOptions.parse([]).policy == nil)
        #expect(try RetryOptions.parse(["--retry", "0"]).policy == nil)
        let policy = try #require(try RetryOptions.parse(["--retry", "3"]).policy)
        #expect(policy.maximumAttemptCount == 4)
        #expect(policy.budget == nil)
    }

    @Test("a count that makes no sense is refused", arguments: ["-1", "1001", "x", ""])
    func refused(_ count: String) {
        #expect(throws: (any Error).self) { try RetryOptions.parse(["--retry", count]) }
    }

    @Test func `each try is announced with its reason, without secrets`() {
        let error = ClientError.connectionFailed(.refused, .init(phase: .connect, origin: "http://host:80"))
        let line = CommandDelegate.line(onRetryAfter: .milliseconds(1260), because: .failure(error))
        #expect(line == "tern-cli: \(error); trying again in 1.3 s\n")
    }
}
