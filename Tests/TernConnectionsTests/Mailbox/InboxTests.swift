// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernTesting
import TestSupport
import Testing

@Suite("Inbox", .hangLimit)
struct InboxTests {
    private let clock = ManualClock()
    private let inbox: Inbox

    init() { self.inbox = Inbox(limit: 8, clock: self.clock) }

    private func receive(_ text: String) -> Bool { self.inbox.receive([ByteBuffer(string: text)]) }

    /// Waits until a read is suspended and has set its timer.
    private func waitForReader() async throws { try await self.clock.waitForScheduled() }

    private var deadline: CallDeadline { CallDeadline(.idle, limit: .seconds(9), from: self.clock.now) }

    @Test func `pieces of a byte each share the memory of few`() {
        let inbox = Inbox(limit: 1 << 20, clock: ManualClock())
        for _ in 0..<10_000 {
            var bytes = ByteBuffer()
            bytes.reserveCapacity(1024)  // the size of the smallest receive buffer
            bytes.writeInteger(UInt8(7))
            _ = inbox.receive([bytes])
        }
        var (capacity, byteCount) = (0, 0)
        while let bytes = inbox.take() {
            capacity += bytes.capacity
            byteCount += bytes.readableBytes
        }
        #expect(byteCount == 10_000)
        #expect(capacity <= 2 * 10_000)
    }

    @Test func `bytes wake a waiting task`() async throws {
        let bytes = Task { try await self.inbox.read(atLeast: 1, deadline: self.deadline) }
        try await self.waitForReader()
        #expect(self.receive("ab"))
        #expect(try await bytes.value == ByteBuffer(string: "ab"))
    }

    @Test func `cancellation wakes a waiting task`() async throws {
        let reading = Task { try await self.inbox.read(atLeast: 1, deadline: self.deadline) }
        try await self.waitForReader()
        reading.cancel()
        await #expect(throws: ConnectionError.cancelled) { try await reading.value }
    }

    @Test func `a task that is cancelled before it reads gets bytes that are there, and else does not wait`() async {
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = self.receive("ab")
            #expect(try await self.inbox.read(atLeast: 1, deadline: nil) == ByteBuffer(string: "ab"))
            return try await self.inbox.read(atLeast: 1, deadline: nil)
        }
        await #expect(throws: ConnectionError.cancelled) { try await reading.value }
    }

    @Test func `a deadline wakes a waiting task`() async throws {
        let deadline = self.deadline
        let bytes = Task { try await self.inbox.read(atLeast: 1, deadline: deadline) }
        try await self.waitForReader()
        self.clock.advance(by: .seconds(9))
        await #expect(throws: ConnectionError.timedOut(deadline)) { try await bytes.value }
    }

    @Test func `closing wakes a waiting task and cancels its timer`() async throws {
        let bytes = Task { try await self.inbox.read(atLeast: 1, deadline: self.deadline) }
        try await self.waitForReader()
        self.inbox.close()
        await #expect(throws: ConnectionError.closed) { try await bytes.value }
        #expect(self.clock.scheduledCount == 0)
    }

    @Test func `two readers: the later one fails and the first one gets the bytes`() async throws {
        let bytes = Task { try await self.inbox.read(atLeast: 1, deadline: self.deadline) }
        try await self.waitForReader()
        await #expect(throws: ConnectionError.concurrentReads) {
            try await self.inbox.read(atLeast: 1, deadline: nil)
        }
        _ = self.receive("ab")
        #expect(try await bytes.value == ByteBuffer(string: "ab"))
    }

    @Test func `the network is asked for more when the reader has made room`() async throws {
        let demands = Mutex(0)
        self.inbox.onDemand { demands.withLock { $0 += 1 } }
        #expect(!self.receive("12345678"))
        _ = try await self.inbox.read(atLeast: 1, deadline: nil)
        #expect(demands.withLock { $0 } == 1)
        #expect(!self.receive("12345678"))
        _ = self.inbox.take()
        #expect(demands.withLock { $0 } == 2)
    }

    @Test func `a reader that wants the whole buffer, most of which is there, has the rest asked for`() async throws {
        self.inbox.onDemand { [inbox] in _ = inbox.receive([ByteBuffer(string: "ij")]) }
        #expect(!self.inbox.receive([ByteBuffer(string: "ab"), ByteBuffer(string: "cdefgh")]))
        _ = try await self.inbox.read(atLeast: 1, deadline: nil)
        #expect(try await self.inbox.read(atLeast: 8, deadline: nil) == ByteBuffer(string: "cdefghij"))
    }

    @Test func `the end is told once, when it comes`() {
        let ends = Mutex(0)
        self.inbox.onEnd { ends.withLock { $0 += 1 } }
        #expect(ends.withLock { $0 } == 0)
        self.inbox.end(nil)
        self.inbox.end(.reset)
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func `an end that came before anybody asked is told at once`() {
        let ends = Mutex(0)
        self.inbox.end(nil)
        self.inbox.onEnd { ends.withLock { $0 += 1 } }
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func `closing on this side is not told as an end`() {
        let ends = Mutex(0)
        self.inbox.onEnd { ends.withLock { $0 += 1 } }
        self.inbox.close()
        self.inbox.end(nil)
        #expect(ends.withLock { $0 } == 0)
    }

    @Test func `a limit that is set while a timer is being armed is not lost`() async throws {
        let clock = InterferingClock(base: self.clock)
        let inbox = Inbox(limit: 8, clock: clock)
        let near = CallDeadline(.firstByte, limit: .seconds(2), from: clock.now)
        clock.interfere = { inbox.limitReads(to: near) }
        let bytes = Task { try await inbox.read(atLeast: 1, deadline: self.deadline) }
        try await self.clock.waitForScheduled()
        await clock.hasInterfered()
        self.clock.advance(by: .seconds(2))
        await #expect(throws: ConnectionError.timedOut(near)) { try await bytes.value }
    }

    @Test func `closing it while a timer is being armed leaves none behind`() async throws {
        let clock = InterferingClock(base: self.clock)
        let inbox = Inbox(limit: 8, clock: clock)
        clock.interfere = { inbox.close() }
        let bytes = Task { try await inbox.read(atLeast: 1, deadline: self.deadline) }
        await clock.hasInterfered()
        await #expect(throws: ConnectionError.closed) { try await bytes.value }
        try await eventually("the timer is cancelled") { self.clock.scheduledCount == 0 }
    }

    @Test func `releasing it leaves no timer behind`() async throws {
        weak var released: Inbox?
        do {
            let inbox = Inbox(limit: 8, clock: self.clock)
            released = inbox
            let bytes = Task { try await inbox.read(atLeast: 1, deadline: self.deadline) }
            try await self.waitForReader()
            inbox.end(nil)
            #expect(try await bytes.value == nil)
        }
        #expect(released == nil)
        #expect(self.clock.scheduledCount == 0)
    }

    // MARK: A source that receives on the reader's thread

    /// Puts bytes into an inbox when a reader would wait, and records the calls.
    private final class FillingSource: InboxSource {
        private let inbox = Mutex<Inbox?>(nil)
        private let fillings: Mutex<[String]>
        let calls = Mutex<[String]>([])

        init(_ fillings: [String]) { self.fillings = Mutex(fillings) }

        func fill(_ inbox: Inbox) { self.inbox.withLock { $0 = inbox } }

        func readerWaits(forAtLeast byteCount: Int, until isSatisfied: () -> Bool) -> ReaderWait {
            self.calls.withLock { $0.append("wait") }
            let inbox = self.inbox.withLock { $0 }
            while !isSatisfied(), let text = self.fillings.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                _ = inbox?.receive([ByteBuffer(string: text)])
            }
            return ReaderWait(period: 0)
        }

        func ended(_ wait: ReaderWait) { self.calls.withLock { $0.append("end") } }

        func actionWaits() { self.calls.withLock { $0.append("action") } }
    }

    private func inbox(filledWith fillings: [String]) -> (Inbox, FillingSource) {
        let source = FillingSource(fillings)
        let inbox = Inbox(limit: 8, clock: self.clock, source: source)
        source.fill(inbox)
        return (inbox, source)
    }

    @Test func `a reader gets what its source receives, without waiting`() async throws {
        let (inbox, source) = self.inbox(filledWith: ["a", "bc", "d"])
        #expect(try await inbox.read(atLeast: 3, deadline: self.deadline) != nil)
        #expect(source.calls.withLock { $0 } == ["wait", "end"])
        #expect(self.clock.scheduledCount == 0)
    }

    @Test func `a reader whose source receives too little waits for the rest`() async throws {
        let (inbox, source) = self.inbox(filledWith: ["a"])
        let reading = Task { try await inbox.read(atLeast: 3, deadline: self.deadline) }
        try await self.waitForReader()
        #expect(source.calls.withLock { $0 } == ["wait"])
        _ = inbox.receive([ByteBuffer(string: "bc")])
        #expect(try await reading.value != nil)
        #expect(source.calls.withLock { $0 } == ["wait", "end"])
    }

    @Test func `a reader that finds bytes does not ask its source`() async throws {
        let (inbox, source) = self.inbox(filledWith: ["x"])
        _ = inbox.receive([ByteBuffer(string: "ab")])
        #expect(try await inbox.read(atLeast: 1, deadline: nil) == ByteBuffer(string: "ab"))
        #expect(source.calls.withLock { $0 }.isEmpty)
    }

    @Test func `a cancelled reader does not wait, and the source is told`() async throws {
        let (inbox, source) = self.inbox(filledWith: [])
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await inbox.read(atLeast: 1, deadline: nil)
        }
        await #expect(throws: ConnectionError.cancelled) { try await reading.value }
        #expect(source.calls.withLock { $0 } == ["wait", "end"])
    }

    @Test func `an action that waits is reported to the source`() {
        let (inbox, source) = self.inbox(filledWith: [])
        #expect(inbox.read { _ in } == nil)
        #expect(source.calls.withLock { $0 } == ["action"])
    }
}
