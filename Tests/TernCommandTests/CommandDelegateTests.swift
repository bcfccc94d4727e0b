// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Synchronization
import Tern
import TernFoundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests against the demo's server, on loopback.
@Suite("Signing in on the terminal", .hangLimit)
struct CommandDelegateTests {
    private static func status(
        _ arguments: [String],
        _ questioner: ScriptedQuestioner,
        userInfo: String = ""
    ) async throws -> Int {
        let status = Mutex(0)
        try await DemoServer.run { server in
            let url = server.url(SignInChapter.path, userInfo: userInfo)
            let options = try GetCommand.parse(arguments + [url]).connection
            let delegate = CommandDelegate(options, questioner)
            let (client, request) = try await options.prepare(.put, url, timeout: nil, delegate)
            let code = try await client.data(for: request).1.statusCode
            status.withLock { $0 = code }
        }
        return status.withLock { $0 }
    }

    @Test func `somebody is asked, and again after a refusal`() async throws {
        let questioner = ScriptedQuestioner("anna", "meow", "anna", "woof")
        #expect(try await Self.status(["--ask"], questioner) == 200)
        #expect(questioner.asked.map(\.isSecret) == [false, true, false, true])
        #expect(questioner.asked.first?.text.hasPrefix("Sign in: Basic \"Tern Photos\" of http://127.0.0.1:") == true)
        #expect(questioner.asked.dropFirst(2).first?.text.hasPrefix("The credentials were refused. ") == true)
    }

    @Test func `after three refusals the 401 is the response`() async throws {
        let questioner = ScriptedQuestioner("a", "b", "a", "c", "a", "d", "anna", "woof")
        #expect(try await Self.status(["--ask"], questioner) == 401)
        #expect(questioner.asked.count == 6)
    }

    @Test func `where nobody answers the 401 is the response`() async throws {
        let questioner = ScriptedQuestioner("anna")
        #expect(try await Self.status(["--ask"], questioner) == 401)
        #expect(questioner.asked.count == 2)
    }

    @Test func `nobody is asked who does not want to be`() async throws {
        let questioner = ScriptedQuestioner("anna", "woof")
        #expect(try await Self.status([], questioner) == 401)
        #expect(questioner.asked.isEmpty)
    }

    @Test func `what the URL has is tried first`() async throws {
        let good = ScriptedQuestioner()
        #expect(try await Self.status(["--ask"], good, userInfo: "anna:woof@") == 200)
        #expect(good.asked.isEmpty)
        let bad = ScriptedQuestioner("anna", "woof")
        #expect(try await Self.status(["--ask"], bad, userInfo: "anna:meow@") == 200)
        #expect(bad.asked.count == 2)
    }
}

extension DemoServer {
    fileprivate func url(_ path: String, userInfo: String) -> String {
        self.url(path).replacing("://", with: "://\(userInfo)")
    }

    private func url(_ path: String) -> String { self.address.appending(path: path).absoluteString }
}
