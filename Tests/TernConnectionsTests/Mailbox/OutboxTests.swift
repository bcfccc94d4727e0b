// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernTesting
import TestSupport
import Testing

@Suite("Outbox", .hangLimit)
struct OutboxTests {
    private let clock = ManualClock()
    private let outbox: Outbox

    init() { self.outbox = Outbox(limit: 4, clock: self.clock) }

    private var deadline: CallDeadline { CallDeadline(.idle, limit: .seconds(9), from: self.clock.now) }

    private func write(_ text: String, flush: () -> Void = {}) async throws(ConnectionError) {
        let hasRoom = try self.outbox.enqueue(.bytes(ByteBuffer(string: text)), flush: { _ in flush() })
        if !hasRoom { try await self.outbox.waitForRoom(deadline: self.deadline) }
    }

    private func takeAll() -> [String] {
        var pieces: [Outbox.Piece] = []
        _ = self.outbox.takeAll(into: &pieces)
        return pieces.map { piece in
            if case .bytes(let bytes) = piece { String(buffer: bytes) } else { "a file" }
        }
    }

    @Test func `pieces go out together, in order, with one flush`() async throws {
        let flushes = Mutex(0)
        try await self.write("a") { flushes.withLock { $0 += 1 } }
        try await self.write("b") { flushes.withLock { $0 += 1 } }
        #expect(flushes.withLock { $0 } == 1)
        #expect(self.takeAll() == ["ab"])
        #expect(self.takeAll() == [])
    }

    @Test func `the outbox knows when the network last took some bytes`() {
        #expect(self.outbox.lastSent == nil)
        for _ in 0..<2 {
            self.clock.advance(by: .seconds(3))
            self.outbox.progressed()
            #expect(self.outbox.lastSent == self.clock.now)
        }
    }

    @Test func `small pieces are gathered, large ones are not copied`() throws {
        let outbox = Outbox(limit: 1 << 20, clock: self.clock)
        for count in [1024, 1025, 3, 4] {
            #expect(try outbox.enqueue(.bytes(ByteBuffer(repeating: 7, count: count))) { _ in })
        }
        var pieces: [Outbox.Piece] = []
        _ = outbox.takeAll(into: &pieces)
        let counts = pieces.map { piece in
            if case .bytes(let bytes) = piece { bytes.readableBytes } else { 0 }
        }
        #expect(counts == [1024, 1025 + 3 + 4])
    }

    @Test func `of several writers that wait each goes on, or is cancelled, by itself`() async throws {
        let first = Task { try await self.write("four") }
        try await self.clock.waitForScheduled()
        let second = Task { try await self.outbox.waitForRoom(deadline: nil) }
        let third = Task { try await self.outbox.waitForRoom(deadline: nil) }
        third.cancel()
        await #expect(throws: ConnectionError.cancelled) { try await third.value }
        #expect(self.takeAll() == ["four"])
        self.outbox.setWritable(true)
        try await first.value
        try await second.value
    }

    /// Under the thread sanitizer, this test checks the access of several writers, which nothing else synchronizes.
    @Test func `what several threads write at once is taken once and whole`() async throws {
        let (writerCount, pieceCount) = (4, 500)
        let outbox = Outbox(limit: .max, clock: self.clock)
        let isWritten = Flag()
        let taking = Task {
            var counts: [Int: Int] = [:]
            var isOver = false
            while !isOver {
                isOver = isWritten.isRaised  // checked first, so that all earlier writes are taken below
                var pieces: [Outbox.Piece] = []
                outbox.sent(upTo: outbox.takeAll(into: &pieces))
                for case .bytes(var bytes) in pieces {
                    while let number = bytes.readInteger(as: UInt32.self) { counts[Int(number), default: 0] += 1 }
                }
                await Task.yield()
            }
            return counts
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { isWritten.raise() }
            for writer in 0..<writerCount {
                group.addTask {
                    for number in 0..<pieceCount {
                        let piece = ByteBuffer(integer: UInt32(writer * pieceCount + number))
                        _ = try outbox.enqueue(.bytes(piece)) { _ in }
                    }
                }
            }
            try await group.waitForAll()
        }
        let taken = await taking.value
        #expect(taken.count == writerCount * pieceCount)
        #expect(taken.values.allSatisfy { $0 == 1 })
    }

    @Test func `a writer waits for room and goes on when there is some`() async throws {
        let written = Task { try await self.write("four") }
        try await self.clock.waitForScheduled()
        #expect(self.takeAll() == ["four"])
        self.outbox.setWritable(true)
        try await written.value
    }

    @Test func `a flush that takes all at once spares the waiting`() async throws {
        try await self.write("more than four") {
            _ = self.takeAll()
            self.outbox.setWritable(true)
        }
        #expect(self.clock.scheduledCount == 0)
    }

    @Test func `cancellation ends the waiting`() async throws {
        let writing = Task { try await self.write("four") }
        try await self.clock.waitForScheduled()
        writing.cancel()
        await #expect(throws: ConnectionError.cancelled) { try await writing.value }
    }

    @Test func `a deadline ends the waiting`() async throws {
        let deadline = self.deadline
        let written = Task { try await self.write("four") }
        try await self.clock.waitForScheduled()
        self.clock.advance(by: .seconds(9))
        await #expect(throws: ConnectionError.timedOut(deadline)) { try await written.value }
    }

    @Test func `a failure ends the waiting, drops what is queued and cancels the timer`() async throws {
        let written = Task { try await self.write("four") }
        try await self.clock.waitForScheduled()
        self.outbox.fail(.reset)
        await #expect(throws: ConnectionError.reset) { try await written.value }
        await #expect(throws: ConnectionError.reset) { try await self.write("x") }
        #expect(self.takeAll() == [])
        try await eventually("the timer is cancelled") { self.clock.scheduledCount == 0 }
    }

    @Test func `what was queued before this side closes is still to be taken`() async throws {
        try await self.write("bye")
        self.outbox.close()
        await #expect(throws: ConnectionError.closed) { try await self.write("late") }
        #expect(self.takeAll() == ["bye"])
    }

    @Test func `no part of a file is sent once this side closes, nor what is behind it`() async throws {
        let folder = try TemporaryFolder()
        let file = try ReadableFile(path: folder.write("now", to: "file"))
        let outbox = Outbox(limit: 100, clock: self.clock)
        _ = try outbox.enqueue(.bytes(ByteBuffer(string: "head"))) { _ in }
        _ = try outbox.enqueue(.file(file, 0..<3)) { _ in }
        _ = try outbox.enqueue(.bytes(ByteBuffer(string: "tail"))) { _ in }
        outbox.close()
        var pieces: [Outbox.Piece] = []
        _ = outbox.takeAll(into: &pieces)
        #expect(pieces.count == 1)
        guard case .bytes(let bytes)? = pieces.first else {
            Issue.record("a file is still to be sent")
            return
        }
        #expect(String(buffer: bytes) == "head")
    }

    @Test(arguments: [false, true])
    func `ending it while a timer is being armed leaves none behind`(fails: Bool) async throws {
        let clock = InterferingClock(base: self.clock)
        let outbox = Outbox(limit: 4, clock: clock)
        clock.interfere = { fails ? outbox.fail(.closed) : outbox.close() }
        _ = try outbox.enqueue(.bytes(ByteBuffer(string: "too long"))) { _ in }
        let written = Task { try await outbox.waitForRoom(deadline: self.deadline) }
        await clock.hasInterfered()
        await #expect(throws: ConnectionError.closed) { try await written.value }
        try await eventually("the timer is cancelled") { self.clock.scheduledCount == 0 }
    }

    @Test func `closing ends the waits for room`() async throws {
        let written = Task { try await self.write("too long") }
        try await self.clock.waitForScheduled()
        self.outbox.close()
        await #expect(throws: ConnectionError.closed) { try await written.value }
        try await eventually("the timer is cancelled") { self.clock.scheduledCount == 0 }
    }

    @Test func `nothing of a refused write is queued`() async {
        self.outbox.fail(.closed)
        let flushes = Mutex(0)
        await #expect(throws: ConnectionError.closed) { try await self.write("a") { flushes.withLock { $0 += 1 } } }
        #expect(flushes.withLock { $0 } == 0)
        #expect(self.takeAll() == [])
    }

    @Test func `it is empty once all that was put in has been sent`() async throws {
        #expect(self.outbox.isEmpty)
        try await self.write("a")
        #expect(!self.outbox.isEmpty)
        var pieces: [Outbox.Piece] = []
        let first = self.outbox.takeAll(into: &pieces)
        #expect(!self.outbox.isEmpty)
        try await self.write("b")
        pieces = []
        let second = self.outbox.takeAll(into: &pieces)
        self.outbox.sent(upTo: first)
        #expect(!self.outbox.isEmpty)
        self.outbox.sent(upTo: second)
        #expect(self.outbox.isEmpty)
        // No piece was added, so there is nothing to send.
        pieces = []
        _ = self.outbox.takeAll(into: &pieces)
        #expect(self.outbox.isEmpty)
    }

    @Test func `a file counts with the length of its range`() async throws {
        let folder = try TemporaryFolder()
        let file = try ReadableFile(path: folder.write("0123456789", to: "digits"))
        #expect(try self.outbox.enqueue(.file(file, 2..<5)) { _ in })
        let more = Task { try await self.write("x") }
        try await self.clock.waitForScheduled()
        #expect(self.takeAll() == ["a file", "x"])
        self.outbox.setWritable(true)
        try await more.value
    }
}
