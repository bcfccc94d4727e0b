// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Iterating over messages", .hangLimit)
struct IterationTests {
    private static let greetings: Scene.Server = { server in
        try await server.send(.text("one"))
        try await server.send(.binary(Data([2])))
        try await server.send(.text, isFinal: false, payload: Array("thr".utf8))
        try await server.send(.ping)
        try await server.send(.continuation, payload: Array("ee".utf8))
        try await server.sendClose(.goingAway, reason: "bye")
        await server.connection.waitForEnd()
    }

    @Test func `messages come in order, and the server's close ends them`() async throws {
        let socket = try await Scene(server: Self.greetings).open()
        let (messages, error) = await socket.collect()
        #expect(messages == [.text("one"), .binary(Data([2])), .text("three")])
        #expect(error == nil)
        #expect(socket.closeCode == .goingAway)
        #expect(socket.closeReason == "bye")
        var iterator = socket.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }

    @Test func `the server's close is answered with its code, and the connection closed when the server ends`()
        async throws
    {
        let answers = Journal<ServerWebSocket.Frame>()
        let scene = Scene { server in
            try await server.sendClose(.serviceRestart)
            while let frame = try await server.receive() { answers.note(frame) }
        }
        let socket = try await scene.open()
        #expect(await socket.collect().error == nil)
        #expect(await answers.wait(for: 1).map(\.closeCode) == [.serviceRestart])
        #expect(socket.outcome?.cause == .closed)
        // The loop ends before the client sets the limit for the end of the connection.
        try await scene.clock.waitForScheduled(in: .seconds(5))
        try await scene.connector.waitForOpen(1)
        scene.clock.advance(by: .seconds(5))  // the server does not end the connection in time
        try await scene.connector.waitForServers()
        try await scene.connector.waitForOpen(0)
        #expect(socket.outcome?.cause == .closed)
        #expect(answers.all.count == 1)
    }

    @Test func `however what comes is cut, the messages are the same`() async throws {
        for count in 1...12 {
            let scene = Scene(plan: .accept(toClient: [.drip(bytesPerPiece: count)]), server: Self.greetings)
            let (messages, error) = await (try await scene.open()).collect()
            #expect(messages == [.text("one"), .binary(Data([2])), .text("three")], "pieces of \(count)")
            #expect(error == nil)
        }
    }

    @Test(.http1Only("counts the bytes of the connection"), arguments: 0..<19)
    func `a connection that ends early is an error, after what had arrived`(byteCount: Int) async throws {
        let scene = Scene(plan: .accept(toClient: [.cut(afterByteCount: byteCount)])) { server in
            try await server.send(.text("one"))
            try await server.send(.text("a longer one"))
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        let (messages, error) = await socket.collect()
        #expect(messages == (byteCount < 5 ? [] : [.text("one")]))
        guard case .connectionLost(.closed, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.phase == .messages)
        #expect(context.origin == "http://example.com:80")
        var iterator = socket.makeAsyncIterator()
        #expect(try await iterator.next() == nil, "an error is thrown once")
    }

    @Test(.http1Only("counts the bytes of the connection"))
    func `a reset is an error`() async throws {
        let scene = Scene(plan: .accept(toClient: [.reset(afterByteCount: 5)])) { server in
            try await server.send(.text("one"))
            try await server.send(.text("two"))
        }
        let (messages, error) = await (try await scene.open()).collect()
        #expect(messages == [.text("one")])
        guard case .connectionLost(.reset, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a later loop goes on with the next message`() async throws {
        let socket = try await Scene { server in
            for number in 1...4 { try await server.send(.text("\(number)")) }
            try await server.sendClose(.normalClosure)
            await server.connection.waitForEnd()
        }.open()
        for try await message in socket {
            #expect(message == .text("1"))
            break
        }
        #expect(await socket.collect().messages == [.text("2"), .text("3"), .text("4")])
    }

    @Test func `of several tasks that iterate each message goes to one`() async throws {
        let socket = try await Scene { server in
            for number in 0..<100 { try await server.send(.text("\(number)")) }
            try await server.sendClose(.normalClosure)
            await server.connection.waitForEnd()
        }.open()
        let received = await withTaskGroup(of: [WebSocketMessage].self) { group in
            for _ in 0..<4 { group.addTask { await socket.collect().messages } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(received) == Set((0..<100).map { .text("\($0)") }))
        #expect(received.count == 100)
    }

    @Test @MainActor func `a failure is told to every task that waits`() async throws {
        let scene = Scene { server in
            while let frame = try await server.receive(), frame.opcode != .text {}
        }
        let socket = try await scene.open()
        let begun = Flag()
        let tasks = (0..<3).map { _ in
            Task { @MainActor in
                begun.raise()
                return await socket.collect().error
            }
        }
        // All tasks run on one actor, so the other tasks are waiting when this one continues.
        await begun.wait(for: 3)
        try await socket.send("end")
        var count = 0
        for task in tasks {
            if case .connectionLost? = await task.value { count += 1 }
        }
        #expect(count == 3)
    }

    @Test @MainActor func `cancelling the task ends its loop and leaves the socket open`() async throws {
        let scene = Scene { server in
            while let frame = try await server.receive() {
                if frame.opcode == .text { try await server.send(.text, payload: frame.payload) }
            }
        }
        let socket = try await scene.open()
        let begun = Flag()
        let task = Task { @MainActor in
            begun.raise()
            return await socket.collect().error
        }
        // Both tasks run on one actor, so the other task is waiting when this one continues.
        await begun.wait()
        task.cancel()
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
        try await socket.send("still there")
        for try await message in socket {
            #expect(message == .text("still there"))
            break
        }
    }

    @Test func `a task that is cancelled already gets no message`() async throws {
        let socket = try await Scene(server: Self.greetings).open()
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await socket.collect().error
        }.value
        #expect(error?.isCancellation == true)
        #expect(await socket.collect().messages.count == 3)
    }
}
