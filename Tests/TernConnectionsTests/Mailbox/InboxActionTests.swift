// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernTesting
import TestSupport
import Testing

/// Tests reads that call an action in place of suspending a task.
@Suite("Inbox: an action that waits", .hangLimit)
struct InboxActionTests {
    /// Collects the results of the action.
    private final class Results: Sendable {
        private let results = Mutex<[InboxStateMachine.ReadResult]>([])

        var texts: [String] {
            self.results.withLock { results in
                results.map { result in
                    switch result {
                    case .success(let bytes?): String(buffer: bytes)
                    case .success(nil): "end"
                    case .failure(let error): "\(error)"
                    }
                }
            }
        }

        func append(_ result: InboxStateMachine.ReadResult) { self.results.withLock { $0.append(result) } }
    }

    private let clock = ManualClock()
    private let inbox: Inbox
    private let results = Results()

    init() { self.inbox = Inbox(limit: 8, clock: self.clock) }

    private func receive(_ text: String) -> Bool { self.inbox.receive([ByteBuffer(string: text)]) }

    /// Reads with an action that does not read on.
    private func read() -> InboxStateMachine.ReadResult? { self.inbox.read { self.results.append($0) } }

    @Test func `bytes that are there are returned, and the action is not called`() throws {
        _ = self.receive("ab")
        #expect(try self.read()?.get() == ByteBuffer(string: "ab"))
        _ = self.receive("cd")
        #expect(self.results.texts.isEmpty)
    }

    @Test func `the action is called once, before the network goes on`() {
        #expect(!self.inbox.handlesBytesAtOnce)
        #expect(self.read() == nil)
        #expect(self.inbox.handlesBytesAtOnce)
        #expect(self.receive("ab"))
        #expect(self.results.texts == ["ab"])
        #expect(!self.inbox.handlesBytesAtOnce)
        #expect(self.receive("cd"))
        #expect(self.results.texts == ["ab"])
    }

    @Test func `an action that reads on gets all pieces in their order`() {
        @Sendable func readOn() {
            while let result = self.inbox.read(orLater: { result in
                self.results.append(result)
                readOn()
            }) { self.results.append(result) }
        }
        readOn()
        for round in 0..<100 {
            #expect(self.inbox.receive(["a", "b"].map { ByteBuffer(string: "\($0)\(round)") }))
        }
        #expect(self.results.texts.joined() == (0..<100).map { "a\($0)b\($0)" }.joined())
    }

    @Test func `the end and a failure reach the action`() throws {
        #expect(self.read() == nil)
        self.inbox.end(nil)
        #expect(self.results.texts == ["end"])
        #expect(try self.read()?.get() == .some(nil))

        let failing = Inbox(limit: 8, clock: self.clock)
        #expect(failing.read { self.results.append($0) } == nil)
        failing.end(.reset)
        #expect(self.results.texts == ["end", "\(ConnectionError.reset)"])
    }

    @Test func `closing calls the action with an error`() {
        #expect(self.read() == nil)
        self.inbox.close()
        #expect(self.results.texts == ["\(ConnectionError.closed)"])
        #expect(throws: ConnectionError.closed) { try self.read()?.get() }
    }

    @Test func `a second reader gets an error`() async {
        #expect(self.read() == nil)
        #expect(throws: ConnectionError.concurrentReads) { try self.read()?.get() }
        await #expect(throws: ConnectionError.concurrentReads) {
            try await self.inbox.read(atLeast: 1, deadline: nil)
        }
        #expect(self.receive("ab"))
        #expect(self.results.texts == ["ab"])
    }

    @Test func `a limit for all reads ends the wait of an action`() {
        #expect(self.read() == nil)
        let deadline = CallDeadline(.idle, limit: .seconds(9), from: self.clock.now)
        self.inbox.limitReads(to: deadline)
        self.clock.advance(by: .seconds(10))
        #expect(self.results.texts == ["\(ConnectionError.timedOut(deadline))"])
    }

    @Test func `an action that waits makes a full inbox read again`() {
        let demands = Mutex(0)
        self.inbox.onDemand { demands.withLock { $0 += 1 } }
        #expect(!self.receive("12345678"))
        #expect(self.read() != nil)
        #expect(demands.withLock { $0 } == 1)
        #expect(self.read() == nil)
        #expect(self.receive("9"))
        #expect(self.results.texts == ["9"])
    }
}
