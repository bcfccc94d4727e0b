// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernErrors
import Testing

@testable import TernWebSocket

@Suite("MessageQueueStateMachine")
struct MessageQueueStateMachineTests {
    private typealias Machine = MessageQueueStateMachine

    private static let failure = ClientError.connectionLost(.closed, .init(phase: .messages))
    private static let cancellation = ClientError.cancelled(.init(phase: .messages))

    private static func text(of delivery: Machine.Delivery) -> String {
        switch delivery {
        case .success(.message(.text(let text))): text
        case .success(nil): "end"
        case .success: "other"
        case .failure(.cancelled): "cancelled"
        case .failure: "failure"
        }
    }

    private static func take(_ machine: inout Machine) -> String {
        switch machine.taken() {
        case .give(let delivery, let resumesReader): Self.text(of: delivery) + (resumesReader ? " on" : "")
        case .wait: "wait"
        }
    }

    private static func arrive(_ machine: inout Machine, _ texts: String...) -> [String] {
        var batch = Deque(texts.map { Machine.Item.message(.text($0)) })
        let effects = machine.arrived(&batch, weight: batch.reduce(0) { $0 + $1.weight })
        #expect(batch.isEmpty)
        return effects.resume.map { Self.text(of: $0.delivery) } + (effects.resumesReader ? ["on"] : [])
    }

    private static func wait(_ machine: inout Machine) -> Machine.Consumer? {
        guard case .wait(let consumer) = machine.taken() else { return nil }
        return consumer
    }

    @Test func `items are given in order, then the end, for ever`() {
        var machine = Machine(limit: 1000)
        #expect(Self.arrive(&machine, "a", "b") == [])
        _ = machine.ended(nil, dropsItems: false)
        #expect(Self.take(&machine) == "a")
        #expect(Self.take(&machine) == "b")
        #expect(Self.take(&machine) == "end")
        #expect(Self.take(&machine) == "end")
        #expect(Self.arrive(&machine, "late") == [])
        #expect(Self.take(&machine) == "end")
    }

    @Test func `a failure is thrown once, after what had arrived`() {
        var machine = Machine(limit: 1000)
        _ = Self.arrive(&machine, "a")
        _ = machine.ended(Self.failure, dropsItems: false)
        _ = machine.ended(nil, dropsItems: false)
        #expect(Self.take(&machine) == "a")
        #expect(Self.take(&machine) == "failure")
        #expect(Self.take(&machine) == "end")
    }

    @Test func `a close of this side drops what had arrived, and a failure before`() {
        var machine = Machine(limit: 1000)
        _ = Self.arrive(&machine, "a")
        _ = machine.ended(Self.failure, dropsItems: false)
        _ = machine.ended(nil, dropsItems: true)
        #expect(Self.take(&machine) == "end")
    }

    @Test func `who has waited longest is served first`() throws {
        var machine = Machine(limit: 1000)
        let first = try #require(Self.wait(&machine))
        let second = try #require(Self.wait(&machine))
        let outcome1 = machine.suspended(second, cancelling: Self.cancellation)
        #expect(outcome1.resume.isEmpty)
        let outcome2 = machine.suspended(first, cancelling: Self.cancellation)
        #expect(outcome2.resume.isEmpty)
        #expect(Self.arrive(&machine, "a") == ["a"])
        #expect(Self.arrive(&machine, "b", "c") == ["b"])
        #expect(Self.take(&machine) == "c")
    }

    @Test func `an item that comes while a consumer suspends is given when it has`() throws {
        var machine = Machine(limit: 1000)
        let consumer = try #require(Self.wait(&machine))
        #expect(Self.arrive(&machine, "a") == [])
        let effects = machine.suspended(consumer, cancelling: Self.cancellation)
        #expect(effects.resume.map { Self.text(of: $0.delivery) } == ["a"])
    }

    @Test func `cancellation, early and late, resumes its consumer only`() throws {
        var machine = Machine(limit: 1000)
        let early = try #require(Self.wait(&machine))
        let outcome3 = machine.cancelled(early, Self.cancellation)
        #expect(outcome3.resume.isEmpty)
        let late = try #require(Self.wait(&machine))
        let outcome4 = machine.suspended(late, cancelling: Self.cancellation)
        #expect(outcome4.resume.isEmpty)
        let effects = machine.suspended(early, cancelling: Self.cancellation)
        #expect(effects.resume.map { Self.text(of: $0.delivery) } == ["cancelled"])
        let outcome5 = machine.cancelled(late, Self.cancellation)
        #expect(outcome5.resume.map { Self.text(of: $0.delivery) } == ["cancelled"])
        let outcome6 = machine.cancelled(late, Self.cancellation)
        #expect(outcome6.resume.isEmpty)
        #expect(Self.arrive(&machine, "a") == [])
        #expect(Self.take(&machine) == "a")
    }

    @Test func `the end is told to all who wait`() throws {
        var machine = Machine(limit: 1000)
        for _ in 0..<2 {
            let consumer = try #require(Self.wait(&machine))
            _ = machine.suspended(consumer, cancelling: Self.cancellation)
        }
        let effects = machine.ended(Self.failure, dropsItems: false)
        #expect(effects.resume.map { Self.text(of: $0.delivery) } == ["failure", "failure"])
        #expect(Self.take(&machine) == "end")
    }

    @Test func `the reader waits when the queue is full and goes on when it is half empty`() {
        var machine = Machine(limit: 4 * 65)
        #expect(Self.arrive(&machine, "a", "b", "c") == [])
        let outcome7 = machine.readerWaits()
        #expect(!outcome7)
        #expect(Self.arrive(&machine, "d") == [])
        #expect(!machine.hasRoom)
        let outcome8 = machine.readerWaits()
        #expect(outcome8)
        #expect(Self.take(&machine) == "a")
        #expect(Self.take(&machine) == "b on")
        #expect(Self.take(&machine) == "c", "the reader goes on once")
    }

    @Test(arguments: [0, -1, -2, Int.min])
    func `without room, the reader waits until each item is taken`(limit: Int) {
        var machine = Machine(limit: limit)
        for text in ["a", "b"] {
            #expect(Self.arrive(&machine, text) == [])
            let waits = machine.readerWaits()
            #expect(waits)
            #expect(Self.take(&machine) == "\(text) on")
        }
    }

    @Test func `an error is still told when the item before it was given to a task that just suspends`() throws {
        var machine = Machine(limit: 1000)
        let consumer = try #require(Self.wait(&machine))
        _ = Self.arrive(&machine, "a")
        _ = machine.ended(Self.failure, dropsItems: false)
        let effects = machine.suspended(consumer, cancelling: Self.cancellation)
        #expect(effects.resume.map { Self.text(of: $0.delivery) } == ["a"])
        #expect(Self.take(&machine) == "failure")
        #expect(Self.take(&machine) == "end")
    }

    @Test func `whoever waits behind one that was cancelled early is served`() throws {
        var machine = Machine(limit: 1000)
        let cancelled = try #require(Self.wait(&machine))
        _ = machine.cancelled(cancelled, Self.cancellation)
        let behind = try #require(Self.wait(&machine))
        _ = machine.suspended(behind, cancelling: Self.cancellation)
        _ = machine.ended(nil, dropsItems: false)
        let effects = machine.suspended(cancelled, cancelling: Self.cancellation)
        #expect(effects.resume.map { Self.text(of: $0.delivery) } == ["end", "cancelled"])
    }

    @Test func `a second consumer is not told the end before what is still there`() throws {
        var machine = Machine(limit: 1000)
        let first = try #require(Self.wait(&machine))
        _ = Self.arrive(&machine, "a", "b")
        _ = machine.ended(nil, dropsItems: false)
        let second = try #require(Self.wait(&machine))
        var effects = machine.suspended(first, cancelling: Self.cancellation)
        #expect(effects.resume.map { Self.text(of: $0.delivery) } == ["a"])
        effects = machine.suspended(second, cancelling: Self.cancellation)
        #expect(effects.resume.map { Self.text(of: $0.delivery) } == ["b"])
    }

    @Test(arguments: [false, true])
    func `the end lets the reader go on`(_ dropsItems: Bool) {
        var machine = Machine(limit: 1)
        _ = Self.arrive(&machine, "a")
        let outcome9 = machine.readerWaits()
        #expect(outcome9)
        let outcome10 = machine.ended(nil, dropsItems: dropsItems)
        #expect(outcome10.resumesReader)
        let outcome11 = machine.readerWaits()
        #expect(!outcome11)
    }
}
