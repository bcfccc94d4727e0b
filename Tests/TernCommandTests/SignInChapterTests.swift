// SPDX-License-Identifier: Apache-2.0
import Tern
import TestSupport
import Testing

@testable import TernCommand

/// Tests against the demo's server, on loopback.
@Suite("The chapter on signing in", .hangLimit)
struct SignInChapterTests {
    private static func story(_ questioner: ScriptedQuestioner?) async throws -> String {
        let told = Pipe()
        let folder = try DemoFolder()
        defer { folder.remove() }
        try await DemoServer.run { server in
            let output = OutputWriter(descriptor: told.writer)
            let stage = DemoStage(client: Client(), server: server, folder: folder, output: output)
            try await SignInChapter(asking: questioner).play(on: stage)
            try await output.finish()
        }
        return try told.text()
    }

    @Test func `the demo answers wrong, then right, if nobody is there`() async throws {
        let text = try await Self.story(nil)
        #expect(text.contains("a wrong password") && text.contains("refused so far: 1"))
        #expect(text.contains("200 OK, \"Biscuit on the beach\" is a favourite of 42"))
    }

    @Test func `whoever is there is asked until it is right`() async throws {
        let questioner = ScriptedQuestioner("anna", "meow", "anna", "woof")
        let text = try await Self.story(questioner)
        #expect(questioner.asked.count == 4)
        #expect(text.contains("refused so far: 1") && text.contains("favourite of 42"))
        #expect(!text.contains("the demo itself answers"))
    }

    @Test func `after three wrong answers, or none, the story goes on`() async throws {
        let wrong = ScriptedQuestioner("a", "b", "a", "c", "a", "d")
        #expect(try await Self.story(wrong).contains("refused so far: 3"))
        #expect(wrong.asked.count == 6)
        #expect(try await Self.story(ScriptedQuestioner()).contains("favourite of 42"))
    }
}
