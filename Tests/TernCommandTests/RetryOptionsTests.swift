// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TestSupport
import Testing

@testable import TernCommand

@Suite("--retry", .hangLimit)
struct RetryOptionsTests {
    @Test func `a count is that of the tries after the first`() throws {
        #expect(try RetryOptions.parse([]).policy == nil)
        #expect(try RetryOptions.parse(["--retry", "0"]).policy == nil)
        let policy = try #require(try RetryOptions.parse(["--retry", "3"]).policy)
        #expect(policy.maximumAttemptCount == 4)
        #expect(policy.budget == nil)
        let fixed = try #require(try RetryOptions.parse(["--retry", "3", "--retry-delay", "2"]).policy)
        #expect(
            fixed.backoff == Backoff(initialDelay: .seconds(2), maximumDelay: .seconds(2), factor: 1, jitter: .none)
        )
    }

    @Test("the command rejects an invalid count", arguments: ["-1", "1001", "x", ""])
    func refused(_ count: String) {
        #expect(throws: (any Error).self) { try RetryOptions.parse(["--retry", count]) }
    }

    /// Fails each call, as if the server had refused the connection.
    private struct Refusing: Transport {
        func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
            throw .connectionFailed(.refused, call.context(.connect))
        }
    }

    @Test func `each try is announced with its reason, without secrets`() async throws {
        let client = Client(transport: Refusing())
        let request = Request(.get, "http://anna:hunter2@host/photos?token=sesame")
            .header(.authorization, "Bearer opensesame")
        let error = await #expect(throws: ClientError.self) { try await client.data(for: request) }
        let failure = try #require(error)
        let line = CommandDelegate.line(onRetryAfter: .milliseconds(1260), because: .failure(failure))
        #expect(line.hasPrefix("tern-cli: "))
        #expect(line.contains("refused"))
        #expect(line.hasSuffix("; trying again in 1.3 s\n"))
        for secret in ["hunter2", "sesame", "anna"] { #expect(!line.contains(secret)) }
    }

    @Test func `what a server wrote is made sanitized before it is announced`() {
        let context = ClientError.Context(phase: .head)
        let failure = ClientError.protocolViolation(section: "RFC 9112 §4", reason: "a\u{9B}2J\u{202E}b", context)
        let line = CommandDelegate.line(onRetryAfter: .seconds(1), because: .failure(failure))
        #expect(!line.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" })
    }

    @Test func `with JSON no try is announced in words`() async throws {
        for (arguments, tells) in [([], true), (["--report", "json"], false), (["--quiet"], false), (["-s"], false)] {
            let command = try GetCommand.parse(arguments + ["--retry", "2", "http://host/"])
            let delegate = CommandDelegate(command.connection, ScriptedQuestioner(), isForMachines: command.json)
            _ = try await command.prepare(.get, nil, delegate)
            #expect(delegate.reportsRetries == tells)
        }
    }
}
