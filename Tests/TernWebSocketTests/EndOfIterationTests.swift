// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

/// An executor that runs a task at once, on the thread that resumes it, so that the task is as early as possible.
private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: self.asUnownedTaskExecutor())
    }
}

@Suite("What is known when a loop ends", .hangLimit)
struct EndOfIterationTests {
    private let executor = InlineExecutor()

    @Test func `whoever closes after the server did answers with the server's code`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene { server in
            _ = try await server.receive()
            try await server.sendClose(CloseCode(rawValue: 4001), reason: "log in first")
            if let frame = try await server.receive() { journal.note(frame) }
        }
        let socket = try await scene.open()
        let loop = Task(executorPreference: self.executor) {
            for try await _ in socket {}
            let known = (socket.closeCode?.rawValue, socket.closeReason)
            await socket.close()
            return known
        }
        try await socket.send("close!")
        let (code, reason) = try await loop.value
        #expect(code == 4001)
        #expect(reason == "log in first")
        try await scene.connector.waitForServers()
        #expect(journal.all.map(\.closeCode) == [CloseCode(rawValue: 4001)])
        #expect(socket.outcome?.isInitiatedByPeer == true)
    }

    @Test func `whoever closes after the server broke a rule tells it which`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene(options: WebSocketOptions(maximumMessageByteCount: 10)) { server in
            _ = try await server.receive()
            try await server.send(.text("longer than ten"))
            if let frame = try await server.receive() { journal.note(frame) }
        }
        let socket = try await scene.open()
        let loop = Task(executorPreference: self.executor) {
            let error = await socket.collect().error
            await socket.close()
            return error
        }
        try await socket.send("too much!")
        guard case .messageTooLarge(limit: 10, _)? = await loop.value else {
            Issue.record("a message that is too long ends the loop")
            return
        }
        try await scene.connector.waitForServers()
        #expect(journal.all.map(\.closeCode) == [.messageTooBig])
    }

    @Test func `whoever closes after the server was gone has not closed it`() async throws {
        let scene = Scene { server in _ = try await server.receive() }
        let socket = try await scene.open()
        let loop = Task(executorPreference: self.executor) {
            let error = await socket.collect().error
            await socket.close()
            return error
        }
        try await socket.send("go!")
        guard case .connectionLost? = await loop.value else {
            Issue.record("a server that is gone ends the loop")
            return
        }
        #expect(socket.outcome?.cause == .endedByPeer)
        #expect(socket.outcome?.sent == nil)
    }

    @Test func `the outcome is there when the loop of a lost connection ends`() async throws {
        let scene = Scene { server in _ = try await server.receive() }
        let socket = try await scene.open()
        let loop = Task(executorPreference: self.executor) {
            _ = await socket.collect()
            return socket.outcome
        }
        try await socket.send("go!")
        #expect(await loop.value == ClosingOutcome(cause: .endedByPeer))
    }

    @Test func `the outcome is there when the loop ends because the server closes`() async throws {
        let scene = Scene { server in
            _ = try await server.receive()
            try await server.sendClose(.normalClosure, reason: "")
            _ = try await server.receive()
        }
        let socket = try await scene.open()
        let loop = Task(executorPreference: self.executor) {
            for try await _ in socket {}
            return socket.outcome
        }
        try await socket.send("close!")
        let outcome = try await loop.value
        #expect(outcome?.cause == .closed)
        #expect(outcome?.code == .normalClosure)
    }
}
