// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Slow consumers", .hangLimit)
struct BackPressureTests {
    @Test func `a consumer that takes nothing stops the server, and gets all in the end`() async throws {
        let sent = Journal<Int>()
        let count = TestedVersion.isHTTP2 ? 4000 : 400
        let scene = Scene(capacity: 4096, options: WebSocketOptions(maximumQueuedByteCount: 16 << 10)) { server in
            for number in 0..<count {
                try await server.send(.text(String(repeating: "\(number % 10)", count: 1000)))
                sent.note(number)
            }
            try await server.sendClose(.normalClosure)
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        // The reader continues only when the test takes a message.
        try await eventually("the reader waits for room") { !socket.isReadingForTests }
        // The server may be ahead by the messages in the queue, in one read, and in the buffers of both ends. Over
        // HTTP/2, a window of 1 MiB and the buffers of the gateway are added.
        let (slack, step) = (TestedVersion.isHTTP2 ? 2 << 10 : 100, 10)
        var taken = 0
        for try await message in socket {
            #expect(sent.all.count <= taken + slack)
            expectEqual(message, .text(String(repeating: "\(taken % 10)", count: 1000)))
            taken += 1
            // The test waits until the server can send no more. Without a limit, the server would have sent too much by
            // now.
            if taken.isMultiple(of: step), taken + slack < count {
                try await eventually("the reader waits for room again") { !socket.isReadingForTests }
            }
        }
        #expect(taken == count)
    }

    @Test func `a close ends a reader that waits for room`() async throws {
        let scene = Scene(options: WebSocketOptions(maximumQueuedByteCount: 1)) { server in
            for _ in 0..<100 { try await server.send(.text("x")) }
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        try await eventually("the reader waits for room") { !socket.isReadingForTests }
        let closing = Task { await socket.close() }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        #expect(socket.outcome == nil)
        scene.clock.advance(by: .seconds(5))
        await closing.value
        #expect(socket.outcome?.cause == .closeTimedOut, "there is none before the reader has ended")
        #expect(await socket.collect().messages.isEmpty)
        try await scene.connector.waitForOpen(0)
    }

    @Test func `a message of many megabytes can be taken in parts`() async throws {
        let part = [UInt8](repeating: 7, count: 100_000)
        let options = WebSocketOptions(maximumMessageByteCount: .max, maximumQueuedByteCount: 64 << 10)
        let scene = Scene(options: options) { server in
            for index in 0..<50 {
                try await server.send(index == 0 ? .binary : .continuation, isFinal: index == 49, payload: part)
            }
            try await server.send(.text("end"))
            try await server.sendClose(.normalClosure)
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        var (byteCount, largest, texts) = (0, 0, [String]())
        for try await fragment in socket.fragments {
            largest = max(largest, fragment.data.count)
            if fragment.kind == .text {
                texts.append(String(decoding: fragment.data, as: UTF8.self))
            } else {
                byteCount += fragment.data.count
                if fragment.isFinal { #expect(byteCount == 5_000_000) }
            }
        }
        #expect(byteCount == 5_000_000)
        #expect(largest <= 256 << 10)
        #expect(texts == ["end"])
    }

    @Test func `who takes parts cannot take whole messages`() async throws {
        let scene = Scene { server in
            _ = try await server.receive()
            try await server.send(.text("whole"))
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        _ = socket.fragments
        try await socket.send("go")
        guard case .bodyMisused(.readInParts, _)? = await socket.collect().error else {
            Issue.record("no error")
            return
        }
    }

    @Test func `a broken rule is answered though the queue is full and nobody iterates`() async throws {
        let answers = Journal<ServerWebSocket.Frame>()
        let scene = Scene(options: WebSocketOptions(maximumQueuedByteCount: 100)) { server in
            // All messages and the fault arrive in one piece, so the reader has all messages when it finds the fault.
            let message: [UInt8] = [0x81, 2, 0x68, 0x69]
            try await server.connection.write(Array(repeatElement(message, count: 20).joined()) + [0x83, 0])
            while let frame = try await server.receive() { answers.note(frame) }
        }
        let socket = try await scene.open()
        #expect(await answers.wait(for: 1).map(\.closeCode) == [.protocolError])
        let (messages, error) = await socket.collect()
        #expect(messages.count == 20)
        #expect(error != nil)
    }
}
