// SPDX-License-Identifier: Apache-2.0
import Tern
import TestSupport
import Testing

@testable import TernCommand

/// Tests against the demo's server, on loopback.
@Suite("The live channel", .hangLimit)
struct LiveChannelTests {
    @Test func `its chapter goes as it should`() async throws {
        let told = Pipe()
        let folder = try DemoFolder()
        defer { folder.remove() }
        try await DemoServer.run { server in
            let output = OutputWriter(descriptor: told.writer)
            let stage = DemoStage(client: Client(), server: server, folder: folder, output: output)
            try await LiveChannelChapter().play(on: stage)
            try await output.finish()
        }
        let text = try told.text()
        #expect(text.contains("bytes on the wire") && text.contains("good night, Ann") && text.contains("got 1001"))
    }

    @Test(arguments: [true, false])
    func `a session prints what comes, and ends after its input`(compresses: Bool) async throws {
        let output = Pipe()
        let comment = LiveEvent(.comment, by: "Eve", text: "hello", likes: 41).json
        let input = try Pipe.holding("\(comment)\n\(comment)")
        try await DemoServer.run { server in
            let options = WebSocketOptions(compression: compresses ? .default : .disabled)
            let socket = try await Client().webSocket(from: server.liveURL("Eve"), options: options)
            #expect((socket.compression != nil) == compresses)
            let writer = OutputWriter(descriptor: output.writer)
            let display = WebSocketDisplay(format: .lines, output: writer, isQuiet: true)
            let plan = WebSocketSession.Plan(wait: .forever, limit: 3)
            let source = StandardInput(descriptor: input)
            try await WebSocketSession(socket, display, plan, input: source).run()
            try await writer.finish()
            let closing = WebSocketClosing(socket)
            #expect(closing.side == .client && closing.code == .normalClosure)
        }
        let welcome = LiveEvent(.welcome, by: "server", likes: 41).json
        let text = try output.text()
        #expect(text == "\(welcome)\n\(comment)\n\(comment)\n")
    }

    @Test func `a session that is cancelled closes with 1001`() async throws {
        let (input, output) = (Pipe(), Pipe())
        try await DemoServer.run { server in
            let socket = try await Client().webSocket(from: server.liveURL("Eve"))
            let writer = OutputWriter(descriptor: output.writer)
            let display = WebSocketDisplay(format: .json, output: writer, isQuiet: true)
            let source = StandardInput(descriptor: input.reader)
            let session = WebSocketSession(socket, display, WebSocketSession.Plan(wait: .forever), input: source)
            let task = Task { try await session.run() }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            try await eventually("Eve has left") { server.journal.holds(.left("Eve", code: 1001)) }
        }
    }
}
