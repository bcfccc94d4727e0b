// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernConnections
import TernErrors
import TernTesting
import Testing

@testable import TernHTTP

private typealias Machine = ExchangeStateMachine
private typealias Effects = ExchangeStateMachine.Effects

@Suite("ExchangeStateMachine: the sender and the response")
struct ExchangeStateMachineTests {
    private let now = ClockInstant(nanoseconds: 1_000_000_000)
    private let giveBack = Effects(slot: .giveBack)
    private let giveUp = Effects(aborts: true, slot: .discard)
    private let giveUpSending = Effects(stopsSender: true, aborts: true, slot: .discard)
    private let brokenSource = ClientError.uploadFailed(.notReplayable, ClientError.Context(phase: .send))

    /// An exchange whose head has arrived while a task sends the body.
    private func answered(_ statusCode: Int = 200, isQueued: Bool = false) -> Machine {
        var machine = Machine.sending
        if isQueued { machine.willQueueEnd() }
        _ = machine.answered(statusCode, at: self.now)
        return machine
    }

    // MARK: Without a sender

    @Test func `a response is read to its end`() {
        var machine = Machine.answered
        #expect(machine.readBegan(at: nil) == .granted)
        #expect(machine.readEnded(at: nil) == true)
        #expect(machine.readBegan(at: nil) == .granted)
        #expect(machine.responseEnded(isReusable: true, at: nil) == self.giveBack)
        #expect(!machine.isSettling)
        #expect(machine.readBegan(at: nil) == .finished)
    }

    @Test func `a connection that serves no other exchange is closed`() {
        var machine = Machine.answered
        #expect(machine.readBegan(at: nil) == .granted)
        #expect(machine.responseEnded(isReusable: false, at: nil) == self.giveUp)
    }

    @Test func `two tasks do not read at once`() {
        var machine = Machine.answered
        #expect(machine.readBegan(at: nil) == .granted)
        #expect(machine.readBegan(at: nil) == .misused(.concurrentReads))
        #expect(machine.readEnded(at: nil) == true)
        #expect(machine.readBegan(at: nil) == .granted)
    }

    @Test func `a failed read ends the exchange once`() {
        var machine = Machine.answered
        #expect(machine.readBegan(at: nil) == .granted)
        let (effects, isDiscarded) = machine.readFailed()
        #expect(effects == self.giveUp)
        #expect(!isDiscarded)
        #expect(machine.readBegan(at: nil) == .finished)
        #expect(machine.discarded(isForced: true) == .done(.none))
    }

    @Test(arguments: [true, false]) func `a discarded response is drained`(_ isReusable: Bool) {
        var machine = Machine.answered
        #expect(machine.discarded(isForced: false) == .drain)
        #expect(machine.readBegan(at: nil) == .misused(.discarded))
        #expect(machine.discarded(isForced: true) == .done(.none))
        #expect(machine.drained(isReusable: isReusable) == (isReusable ? self.giveBack : self.giveUp))
        #expect(machine.readBegan(at: nil) == .misused(.discarded))
    }

    @Test func `a discard ends the read of another task`() {
        var machine = Machine.answered
        #expect(machine.readBegan(at: nil) == .granted)
        #expect(machine.discarded(isForced: false) == .done(.none))
        let effects = Effects(aborts: true, slot: .discard, wakesWaiter: true)
        #expect(machine.discarded(isForced: true) == .done(effects))
        #expect(machine.readEnded(at: nil) == false)
        let (late, isDiscarded) = machine.readFailed()
        #expect(late == .none)
        #expect(isDiscarded)
        #expect(machine.readBegan(at: nil) == .misused(.discarded))
    }

    @Test func `a response that ends while another task discards it changes nothing`() {
        var machine = Machine.answered
        #expect(machine.readBegan(at: nil) == .granted)
        _ = machine.discarded(isForced: true)
        #expect(machine.responseEnded(isReusable: true, at: nil) == .none)
    }

    // MARK: The head

    @Test func `the limit for the head begins when the body is sent`() {
        var machine = Machine.sending
        machine.willQueueEnd()
        #expect(machine.awaitsHead)
        #expect(machine.senderEnded(.success(())) == Effects(wakesWaiter: true))
        #expect(machine.awaitsHead)
        #expect(machine.answered(200, at: self.now) == Effects(removesReadLimit: true))
        #expect(!machine.awaitsHead)
    }

    @Test func `the limit for the head is not set after the head`() {
        var machine = self.answered(isQueued: true)
        #expect(machine.senderEnded(.success(())) == Effects(wakesWaiter: true))
    }

    @Test func `a failed source ends the exchange`() {
        var machine = Machine.sending
        #expect(machine.senderEnded(.failure(self.brokenSource)) == Effects(aborts: true, wakesWaiter: true))
        #expect(machine.requestFailure?.fault == self.brokenSource.fault)
        #expect(machine.failed() == self.giveUp)
        #expect(machine.failed() == .none)
    }

    @Test func `a lost connection lets the response speak`() {
        var machine = Machine.sending
        let lost = ClientError.connectionLost(.closed, ClientError.Context(phase: .send))
        #expect(machine.senderEnded(.failure(lost)) == Effects(wakesWaiter: true))
        #expect(machine.requestFailure == nil)
        #expect(machine.answered(200, at: self.now) == Effects(removesReadLimit: true))
    }

    @Test func `a refusal stops the sender, unless the connection has the whole body`() {
        var machine = Machine.sending
        #expect(machine.answered(413, at: self.now) == Effects(removesReadLimit: true, stopsSender: true))
        #expect(machine.senderEnded(.failure(self.brokenSource)) == Effects(wakesWaiter: true))
        #expect(machine.requestFailure == nil)
        machine = .sending
        machine.willQueueEnd()
        #expect(machine.answered(413, at: self.now) == Effects(removesReadLimit: true))
    }

    @Test func `a failed exchange stops its sender`() {
        var machine = Machine.sending
        #expect(machine.failed() == self.giveUpSending)
        let cancelled = ClientError.cancelled(ClientError.Context(phase: .send))
        #expect(machine.senderEnded(.failure(cancelled)) == Effects(wakesWaiter: true))
    }

    @Test func `a change of the protocol waits for a late sender`() {
        var machine = Machine.sending
        #expect(machine.protocolChanges(at: self.now) == false)
        machine.willQueueEnd()
        #expect(machine.protocolChanges(at: self.now) == true)
        let before = self.now.advanced(by: .seconds(-1))
        #expect(machine.sendIdleStart(since: before, lastSent: nil, at: self.now) == self.now)
        #expect(machine.waitCancelled() == Effects(stopsSender: true))
        #expect(machine.senderEnded(.success(())) == Effects(wakesWaiter: true))
        #expect(machine.protocolChanges(at: self.now) == false)
        #expect(machine.isRequestComplete)
    }

    // MARK: The end of both directions

    @Test func `the connection waits for a sender that has queued the end`() {
        var machine = self.answered(isQueued: true)
        #expect(machine.readBegan(at: self.now) == .granted)
        #expect(machine.responseEnded(isReusable: true, at: self.now) == .none)
        #expect(machine.isSettling)
        #expect(machine.readBegan(at: self.now) == .misused(.concurrentReads))
        #expect(machine.senderEnded(.success(())) == Effects(wakesWaiter: true))
        #expect(!machine.isSettling)
        var closed = machine
        #expect(machine.responseEnded(isReusable: true, at: self.now) == self.giveBack)
        #expect(machine.readBegan(at: self.now) == .finished)
        // The server has closed the connection in the meantime.
        #expect(closed.responseEnded(isReusable: false, at: self.now) == self.giveUp)
    }

    @Test func `the connection is closed if the late sender fails`() {
        var machine = self.answered(isQueued: true)
        #expect(machine.readBegan(at: self.now) == .granted)
        _ = machine.responseEnded(isReusable: true, at: self.now)
        let ended = machine.senderEnded(.failure(self.brokenSource))
        #expect(ended == Effects(aborts: true, slot: .discard, wakesWaiter: true))
    }

    @Test func `the sender is stopped if the task that waits for it is cancelled`() {
        var machine = self.answered(isQueued: true)
        #expect(machine.readBegan(at: self.now) == .granted)
        _ = machine.responseEnded(isReusable: true, at: self.now)
        #expect(machine.waitCancelled() == Effects(stopsSender: true, setsTimer: true))
        #expect(machine.needsTimer)
        #expect(machine.waitCancelled() == .none)
        #expect(machine.senderEnded(.success(())) == Effects(slot: .giveBack, wakesWaiter: true))
    }

    @Test func `a cancelled reader has the end of the response, whenever the sender ends`() {
        let lost = ClientError.cancelled(ClientError.Context(phase: .send))
        for end in [Result<Void, ClientError>.success(()), .failure(lost), nil] {
            var machine = self.answered(isQueued: true)
            #expect(machine.readBegan(at: self.now) == .granted)
            _ = machine.responseEnded(isReusable: true, at: self.now)
            _ = machine.waitCancelled()
            #expect(machine.readBegan(at: self.now) == .finished)
            #expect(machine.discarded(isForced: true) == .done(.none))
            if let end { _ = machine.senderEnded(end) } else { #expect(machine.timerFired() == self.giveUpSending) }
            #expect(machine.readBegan(at: self.now) == .finished)
        }
    }

    @Test func `a discard ends the wait for the sender`() {
        var machine = self.answered(isQueued: true)
        #expect(machine.readBegan(at: self.now) == .granted)
        _ = machine.responseEnded(isReusable: true, at: self.now)
        var expected = self.giveUpSending
        expected.wakesWaiter = true
        #expect(machine.discarded(isForced: false) == .done(.none))
        #expect(machine.discarded(isForced: true) == .done(expected))
    }

    @Test func `a response that is complete before the request closes the connection`() {
        var machine = self.answered()
        #expect(machine.readBegan(at: self.now) == .granted)
        #expect(machine.responseEnded(isReusable: true, at: self.now) == self.giveUpSending)
    }

    @Test func `nobody waits for the sender of a discarded response longer than the timer`() {
        var machine = self.answered(401, isQueued: true)
        #expect(machine.discarded(isForced: false) == .drain)
        #expect(machine.drained(isReusable: true) == Effects(setsTimer: true))
        #expect(machine.needsTimer)
        #expect(machine.readBegan(at: self.now) == .misused(.discarded))
        var late = machine
        #expect(machine.senderEnded(.success(())) == Effects(slot: .giveBack, wakesWaiter: true))
        #expect(machine.timerFired() == .none)
        #expect(late.timerFired() == self.giveUpSending)
        #expect(late.senderEnded(.success(())) == Effects(wakesWaiter: true))
    }

    @Test func `a response that arrived with its head settles like any other`() {
        var machine = self.answered(isQueued: true)
        #expect(machine.senderEnded(.success(())) == Effects(wakesWaiter: true))
        #expect(machine.responseEnded(isReusable: true, at: self.now) == self.giveBack)
    }

    // MARK: The idle limit

    @Test func `silence of sending counts from when a task begins to read`() {
        var machine = self.answered()
        let later = self.now.advanced(by: .seconds(61))
        // No task reads the response.
        #expect(machine.sendIdleStart(since: self.now, lastSent: nil, at: later) == later)
        #expect(machine.readBegan(at: later) == .granted)  // before the sender asks, whose timer has fired
        #expect(machine.sendIdleStart(since: self.now, lastSent: nil, at: later) == later)
        let last = later.advanced(by: .seconds(61))
        #expect(machine.sendIdleStart(since: later, lastSent: nil, at: last) == nil)
    }

    @Test func `a discarded response ends no sending`() {
        var machine = self.answered(isQueued: true)
        _ = machine.discarded(isForced: true)
        _ = machine.drained(isReusable: true)
        let later = self.now.advanced(by: .seconds(61))
        #expect(machine.sendIdleStart(since: self.now, lastSent: nil, at: later) == later)
    }

    @Test func `silence of sending counts from the last bytes that the server has accepted`() {
        var machine = Machine.sending
        let (later, last) = (self.now.advanced(by: .seconds(40)), self.now.advanced(by: .seconds(61)))
        #expect(machine.sendIdleStart(since: self.now, lastSent: nil, at: last) == nil)
        #expect(machine.sendIdleStart(since: self.now, lastSent: self.now, at: last) == nil)
        #expect(machine.sendIdleStart(since: self.now, lastSent: later, at: last) == later)
        _ = machine.answered(200, at: later)
        #expect(machine.readBegan(at: later) == .granted)
        #expect(machine.sendIdleStart(since: self.now, lastSent: self.now, at: last) == later)
        #expect(machine.sendIdleStart(since: later, lastSent: last, at: last) == last)
    }

    @Test func `silence of reading counts from what was sent`() {
        var machine = self.answered()
        #expect(machine.readIdleStart(since: self.now, lastSent: nil) == nil)
        let later = self.now.advanced(by: .seconds(40))
        #expect(machine.readIdleStart(since: self.now, lastSent: later) == later)
        machine.sent(at: later)
        #expect(machine.readIdleStart(since: self.now, lastSent: nil) == later)
        #expect(machine.readIdleStart(since: later, lastSent: later) == nil)
    }
}
