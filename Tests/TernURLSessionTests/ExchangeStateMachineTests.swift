// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernURLLoading
import Testing

@testable import TernURLSession

@Suite("Exchange over URLSession, decisions")
struct ExchangeStateMachineTests {
    /// An event of a script.
    enum Event {
        case head(length: Int64? = nil)
        case data(Int)
        case completed(ExchangeFailure? = nil)
        case failed(ExchangeFailure)
        case left
        case read(atLeast: Int = 1)
        case takeHead
    }

    /// An answer to an event, in a form that can be compared.
    enum Answer: Equatable {
        case effects(ExchangeStateMachine.Effects)
        case head
        case bytes(Int, ExchangeStateMachine.Effects = .none)
        case end
        case wait
        case failed(String)
    }

    private static let pausing = ExchangeStateMachine.Buffering.pausing(low: 4, high: 10)
    private static let bounded = ExchangeStateMachine.Buffering.bounded(limit: 10)
    private static let wake = Answer.effects(.wake)
    private static let none = Answer.effects(.none)
    private static let end = Answer.effects(.end)
    private static let finished = Answer.effects(ExchangeStateMachine.Effects(wakesWaiter: true, stopsBody: true))

    private func run(
        _ buffering: ExchangeStateMachine.Buffering,
        _ script: [(Event, Answer)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var machine = ExchangeStateMachine(buffering, .none, start: ClockInstant(nanoseconds: 0))
        for (index, (event, expected)) in script.enumerated() {
            let answer = Self.answer(&machine, event)
            #expect(answer == expected, "event \(index), \(event)", sourceLocation: sourceLocation)
        }
    }

    private static func answer(_ machine: inout ExchangeStateMachine, _ event: Event) -> Answer {
        let now = ClockInstant(nanoseconds: 0)
        switch event {
        case .head(let length):
            let fields = length.map { [(name: "Content-Length", value: "\($0)")] } ?? []
            let head = ReceivedHead(statusCode: 200, received: fields, method: .get, isEveryCodingDecoded: false)
            return .effects(machine.responseArrived(head, at: now))
        case .data(let count):
            return .effects(machine.dataArrived(ByteBuffer(repeating: 0, count: count), at: now))
        case .completed(let failure): return .effects(machine.completed(failure))
        case .failed(let failure): return .effects(machine.failed(failure))
        case .left: return .effects(machine.readerLeft())
        case .takeHead:
            switch machine.takeHead() {
            case .value: return .head
            case .failed(let failure): return .failed("\(failure)")
            case .wait: return .wait
            }
        case .read(let count):
            let (step, effects) = machine.read(atLeast: count)
            switch step {
            case .value(let bytes?): return .bytes(bytes.readableBytes, effects)
            case .value(nil): return .end
            case .failed(let failure): return .failed("\(failure)")
            case .wait: return .wait
            }
        }
    }

    @Test func `a response is read to its end`() {
        self.run(
            Self.pausing,
            [
                (.takeHead, .wait), (.head(length: 5), Self.wake), (.takeHead, .head), (.read(), .wait),
                (.data(3), Self.wake), (.read(atLeast: 5), .wait), (.data(2), Self.wake),
                (.read(atLeast: 5), .bytes(3)),
                (.read(), .bytes(2)), (.completed(), Self.finished), (.read(), .end), (.read(), .end),
                (.left, Self.wake),
            ]
        )
    }

    @Test func `what has arrived can be read after the end`() {
        self.run(
            Self.pausing,
            [
                (.head(), Self.wake), (.data(3), Self.wake), (.completed(), Self.finished), (.takeHead, .head),
                (.read(atLeast: 100), .bytes(3)), (.read(), .end),
            ]
        )
    }

    @Test func `a full buffer suspends the task, and an empty one resumes it`() {
        self.run(
            Self.pausing,
            [
                (.head(), Self.wake), (.data(9), Self.wake),
                (.data(1), .effects(ExchangeStateMachine.Effects(wish: .paused, wakesWaiter: true))),
                (.data(3), Self.wake),  // under way when the task was suspended
                (.read(atLeast: 100), .bytes(9, ExchangeStateMachine.Effects(wish: .running))), (.read(), .bytes(1)),
                (.read(atLeast: 100), .wait),
            ]
        )
    }

    @Test func `the end of a suspended task does not resume it`() {
        self.run(
            Self.pausing,
            [
                (.head(), Self.wake), (.data(10), .effects(.init(wish: .paused, wakesWaiter: true))),
                (.completed(.session(SessionFailure(.networkConnectionLost))), Self.finished), (.read(), .bytes(10)),
            ]
        )
    }

    @Test func `too many unread bytes end an exchange that cannot be suspended`() {
        self.run(
            Self.bounded,
            [
                (.head(), Self.wake), (.data(10), Self.wake), (.data(1), Self.end), (.data(1), Self.none),
                (.completed(.session(SessionFailure(.cancelled))), Self.none), (.read(), .bytes(10)),
                (.read(), .bytes(1)), (.read(), .failed("tooManyUnreadBytes(limit: 10)")),
            ]
        )
    }

    @Test func `a reader that wants much gets what is there before the buffer is full`() {
        self.run(Self.bounded, [(.head(), Self.wake), (.data(6), Self.wake), (.read(atLeast: 100), .bytes(6))])
    }

    @Test func `a body that is shorter than announced is truncated`() {
        self.run(
            Self.pausing,
            [
                (.head(length: 5), Self.wake), (.data(3), Self.wake), (.completed(), Self.finished),
                (.read(), .bytes(3)),
                (.read(), .failed("truncated")),
            ]
        )
    }

    @Test func `no response at all is a failure`() {
        self.run(Self.pausing, [(.completed(), Self.finished), (.takeHead, .failed("\(Self.noResponse)"))])
    }

    private static let noResponse = ExchangeFailure.session(SessionFailure(.badServerResponse))

    @Test func `a reader that leaves cancels the task, and later events change nothing`() {
        self.run(
            Self.pausing,
            [
                (.head(), Self.wake), (.data(3), Self.wake), (.left, Self.end), (.data(3), Self.none),
                (.completed(), Self.none), (.read(), .failed("discarded")), (.left, Self.wake),
            ]
        )
    }

    @Test func `a failure of the call cancels the task, and drops what has arrived`() {
        self.run(
            Self.pausing,
            [
                (.head(), Self.wake), (.data(3), Self.wake), (.failed(.bodyDropped), Self.end),
                (.read(), .failed("bodyDropped")), (.failed(.truncated), Self.none), (.read(), .failed("bodyDropped")),
            ]
        )
    }

    @Test func `a second head changes nothing`() {
        self.run(Self.pausing, [(.head(length: 5), Self.wake), (.head(length: 7), Self.none)])
    }
}

@Suite("Exchange over URLSession, time limits")
struct ExchangeDeadlineTests {
    private let timeouts = Timeouts(firstByte: .seconds(7), idle: .seconds(3))

    private func machine(_ upload: UploadProgress) -> ExchangeStateMachine {
        ExchangeStateMachine(.bounded(limit: 10), upload, start: Self.second(0))
    }

    private static func second(_ count: Int) -> ClockInstant {
        ClockInstant(nanoseconds: 0).advanced(by: .seconds(count))
    }

    private static var head: ReceivedHead {
        ReceivedHead(statusCode: 200, received: [], method: .get, isEveryCodingDecoded: false)
    }

    @Test func `without a body, the limit for the head counts from the start`() {
        let deadline = self.machine(.none).deadline(self.timeouts, since: Self.second(1))
        #expect(deadline == CallDeadline(.firstByte, limit: .seconds(7), from: Self.second(0)))
    }

    @Test func `while a body is sent, silence is limited, and then the wait for the head`() {
        var machine = self.machine(.whole(10))
        #expect(
            machine.deadline(self.timeouts, since: Self.second(0))
                == CallDeadline(.idle, limit: .seconds(3), from: Self.second(0))
        )
        #expect(machine.sent(4, at: Self.second(2)) == .none)
        #expect(
            machine.deadline(self.timeouts, since: Self.second(0))
                == CallDeadline(.idle, limit: .seconds(3), from: Self.second(2))
        )
        #expect(machine.sentByteCount == nil)
        #expect(machine.sent(10, at: Self.second(4)) == .wake)
        #expect(machine.sentByteCount == 10)
        #expect(
            machine.deadline(self.timeouts, since: Self.second(0))
                == CallDeadline(.firstByte, limit: .seconds(7), from: Self.second(4))
        )
    }

    @Test func `a slow source of the body is not limited`() {
        var machine = self.machine(.stream)
        #expect(machine.deadline(self.timeouts, since: Self.second(0)) == nil)
        #expect(machine.sourceIsSlow(false, at: Self.second(5)) == .wake)
        #expect(
            machine.deadline(self.timeouts, since: Self.second(0))
                == CallDeadline(.idle, limit: .seconds(3), from: Self.second(5))
        )
        #expect(machine.sourceIsSlow(true, at: Self.second(6)) == .wake)
        #expect(machine.deadline(self.timeouts, since: Self.second(0)) == nil)
        _ = machine.sourceIsSlow(false, at: Self.second(7))
        _ = machine.sourceEnded(8, at: Self.second(8))
        #expect(machine.sentByteCount == nil)
        _ = machine.sent(8, at: Self.second(9))
        #expect(
            machine.deadline(self.timeouts, since: Self.second(0))
                == CallDeadline(.firstByte, limit: .seconds(7), from: Self.second(9))
        )
    }

    @Test func `an empty stream is sent when its source ends`() {
        var machine = self.machine(.stream)
        _ = machine.sourceEnded(0, at: Self.second(2))
        #expect(machine.sentByteCount == 0)
    }

    @Test func `a device without a network is not limited until the request goes out`() {
        var machine = self.machine(.whole(10))
        #expect(machine.waitsForConnectivity() == .wake)
        #expect(machine.deadline(self.timeouts, since: Self.second(0)) == nil)
        #expect(machine.connected() == .wake)
        #expect(machine.connected() == .none)
        _ = machine.sent(4, at: Self.second(2))
        #expect(machine.deadline(self.timeouts, since: Self.second(0))?.timeout == .idle)
    }

    @Test func `after the head, silence is limited while a task waits`() {
        var machine = self.machine(.none)
        _ = machine.responseArrived(Self.head, at: Self.second(1))
        #expect(
            machine.deadline(self.timeouts, since: Self.second(5))
                == CallDeadline(.idle, limit: .seconds(3), from: Self.second(5))
        )
        _ = machine.dataArrived(ByteBuffer(repeating: 0, count: 1), at: Self.second(6))
        #expect(
            machine.deadline(self.timeouts, since: Self.second(5))
                == CallDeadline(.idle, limit: .seconds(3), from: Self.second(6))
        )
    }

    @Test func `a stream that is read again begins again, but a part was sent`() {
        var machine = self.machine(.stream)
        _ = machine.sourceIsSlow(false, at: Self.second(1))
        _ = machine.sent(0, at: Self.second(1))
        #expect(!machine.hasSentBody)
        _ = machine.sent(4, at: Self.second(1))
        #expect(machine.uploadBegan() == .wake)
        #expect(machine.hasSentBody)
        #expect(machine.deadline(self.timeouts, since: Self.second(0)) == nil)
        _ = machine.readerLeft()
        #expect(machine.uploadBegan() == ExchangeStateMachine.Effects(stopsBody: true))
    }
}
