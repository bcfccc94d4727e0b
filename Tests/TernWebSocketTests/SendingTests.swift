// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Sending", .hangLimit)
struct SendingTests {
    private static func recording(_ journal: Journal<ServerWebSocket.Frame>) -> Scene.Server {
        { server in while let frame = try await server.receive() { journal.note(frame) } }
    }

    @Test(arguments: [0, 1, 125, 126, 4096, 4097, 65535, 65536, 300_000])
    func `a message of any length arrives`(byteCount: Int) async throws {
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.recording(frames))
        let socket = try await scene.open()
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await socket.send(.binary(Data(bytes)))
        try await socket.send(String(repeating: "ü", count: byteCount / 2))
        let received = await frames.wait(for: 2)
        #expect(received[0].opcode == .binary)
        expectEqual(received[0].payload, bytes)
        #expect(received[1].opcode == .text)
        expectEqual(received[1].text, String(repeating: "ü", count: byteCount / 2))
    }

    @Test func `messages of several tasks arrive whole, those of one in order`() async throws {
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(capacity: 4096, server: Self.recording(frames))
        let socket = try await scene.open()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        let padding = String(repeating: "x", count: number * 61)
                        try? await socket.send("\(task) \(number) \(padding)")
                    }
                }
            }
        }
        let texts = await frames.wait(for: 800).map(\.text)
        #expect(texts.count == 800)
        for task in 0..<8 {
            let own = texts.filter { $0.hasPrefix("\(task) ") }
            let expected = (0..<100).map { "\(task) \($0) " + String(repeating: "x", count: $0 * 61) }
            expectEqual(own.joined(separator: "\n"), expected.joined(separator: "\n"))
        }
    }

    @Test(.http1Only("counts the bytes of the connection"))
    func `a sender waits for a server that reads nothing, until its limit`() async throws {
        let scene = Scene(plan: .accept(toServer: [.stall(afterByteCount: 10)]), capacity: 1024) { server in
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        let sending = Task { while true { try await socket.send(String(repeating: "x", count: 512)) } }
        try await scene.clock.waitForScheduled(in: .seconds(60))
        let other = Task { try await socket.send("also waits") }
        scene.clock.advance(by: .seconds(60))
        do {
            try await sending.value
        } catch let error as ClientError {
            guard case .timedOut(.idle, limit: .seconds(60), _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        await #expect(throws: ClientError.self) { try await other.value }
        guard case .timedOut? = await socket.collect().error else {
            Issue.record("iteration knows why it ended")
            return
        }
        try await scene.connector.waitForOpen(0)
    }

    @Test func `a sender that waits can be cancelled, and the socket goes on`() async throws {
        let mayRead = Flag()
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(capacity: 1024) { server in
            await mayRead.wait()
            while let frame = try await server.receive() { frames.note(frame) }
        }
        let socket = try await scene.open()
        let sending = Task { while true { try await socket.send(String(repeating: "x", count: 512)) } }
        try await scene.clock.waitForScheduled(in: .seconds(60))
        sending.cancel()
        await #expect(throws: ClientError.self) { try await sending.value }
        mayRead.raise()
        try await socket.send("after")
        try await eventually("the last message arrives") { frames.all.last?.text == "after" }
        #expect(frames.all.dropLast().allSatisfy { $0.payload.count == 512 }, "nothing is sent in part")
    }

    @Test func `sending in a cancelled task sends nothing`() async throws {
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.recording(frames))
        let socket = try await scene.open()
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: ClientError.self) { try await socket.send("x") }
        }.value
        #expect(error?.isCancellation == true)
        try await socket.send("y")
        #expect(await frames.wait(for: 1).map(\.text) == ["y"])
    }

    @Test func `a long message goes out in frames of a mebibyte, with pings in between`() async throws {
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(capacity: 4096, server: Self.recording(frames))
        let socket = try await scene.open()
        let bytes = Data((0..<(5 << 19)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) })
        try await socket.send(.binary(bytes))
        try await socket.send("next")
        let received = await frames.wait(for: 4)
        #expect(received.map(\.opcode) == [.binary, .continuation, .continuation, .text])
        let sizes: [Int] = received.map(\.payload.count)
        #expect(sizes == [1_048_576, 1_048_576, 524_288, 4])
        expectEqual(Data(received.dropLast().flatMap(\.payload)), bytes)
    }

    @Test func `a long message whose sending is cancelled is sent whole`() async throws {
        let mayRead = Flag()
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(capacity: 1024) { server in
            await mayRead.wait()
            while let frame = try await server.receive() { frames.note(frame) }
        }
        let socket = try await scene.open()
        let sending = Task { try await socket.send(.binary(Data(count: 3 << 20))) }
        try await scene.clock.waitForScheduled(in: .seconds(60))
        sending.cancel()
        await #expect(throws: ClientError.self) { try await sending.value }
        mayRead.raise()
        try await socket.send("after")
        let received = await frames.wait(for: 4)
        #expect(received.map(\.isFinal) == [false, false, true, true])
        #expect(received.last?.text == "after")
    }

    // MARK: In parts

    @Test func `a message in parts is not interrupted by another, but by pings`() async throws {
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.recording(frames))
        let socket = try await scene.open()
        let (pieces, feed) = AsyncStream.makeStream(of: Data.self)
        let streaming = Task { try await socket.send(.text, pieces: pieces) }
        feed.yield(Data("one".utf8))
        feed.yield(Data())
        _ = await frames.wait(for: 1)
        let other = Task { try await socket.send("other") }
        let ping = Task { try await socket.ping() }
        _ = await frames.wait(for: 2)
        feed.yield(Data("two".utf8))
        feed.finish()
        try await streaming.value
        try await other.value
        ping.cancel()
        let received = await frames.wait(for: 5)
        #expect(received.map(\.opcode) == [.text, .ping, .continuation, .continuation, .text])
        #expect(received.map(\.isFinal) == [false, true, false, true, true])
        #expect(received.filter { $0.opcode != .ping }.map(\.text) == ["one", "two", "", "other"])
    }

    private struct Broken: Error {}

    @Test func `a sequence that throws closes the socket with 1011`() async throws {
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.recording(frames))
        let socket = try await scene.open()
        let pieces = AsyncThrowingStream<Data, any Error> { feed in
            feed.yield(Data([1]))
            feed.finish(throwing: Broken())
        }
        let error = await #expect(throws: ClientError.self) { try await socket.send(.binary, pieces: pieces) }
        guard case .uploadFailed(.streamFailed(type: "Broken"), _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await frames.wait(for: 2).map(\.opcode) == [.binary, .close])
        #expect(frames.all.last?.closeCode == .internalError)
    }

    @Test func `a message that the server cuts by closing drops no earlier one`() async throws {
        let scene = Scene { server in
            _ = try await server.receive()
            try await server.send(.text("last words"))
            try await server.sendClose(.goingAway, reason: "")
            _ = try await server.receive()
        }
        let socket = try await scene.open()
        let (pieces, feed) = AsyncStream.makeStream(of: Data.self)
        feed.yield(Data([1]))
        let streaming = Task { try await socket.send(.binary, pieces: pieces) }
        await expectEventually("the server has closed") { socket.closeCode != nil }
        feed.yield(Data([2]))
        await #expect(throws: ClientError.self) { try await streaming.value }
        #expect(await socket.collect().messages == [.text("last words")])
    }

    @Test @MainActor func `whoever waits for the turn can be cancelled, or learns of the close`() async throws {
        let frames = Journal<ServerWebSocket.Frame>()
        let scene = Scene(server: Self.recording(frames))
        let socket = try await scene.open()
        let (pieces, feed) = AsyncStream.makeStream(of: Data.self)
        feed.yield(Data([1]))
        feed.yield(Data())
        let streaming = Task { try await socket.send(.binary, pieces: pieces) }
        _ = await frames.wait(for: 1)
        let begun = Flag()
        let waiting = ["first", "second"].map { text in
            Task { @MainActor in
                begun.raise()
                try await socket.send(text)
            }
        }
        // All tasks run on one actor, so both other tasks are waiting when this one continues.
        await begun.wait(for: 2)
        waiting[0].cancel()
        await #expect(throws: ClientError.self) { try await waiting[0].value }
        socket.cancel()
        await #expect(throws: ClientError.self) { try await waiting[1].value }
        feed.yield(Data([2]))
        await #expect(throws: ClientError.self) { try await streaming.value }
    }
}
