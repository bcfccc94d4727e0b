// SPDX-License-Identifier: Apache-2.0
import TernConnections
import Testing

/// An event of an outbox.
enum OutboxEvent: Sendable {
    case write(Int64, until: Int? = nil)
    case suspended
    case cancelled
    case flushed
    case writable(Bool)
    case failed(ConnectionError)
    case fired(at: Int)
}

/// The actions that an outbox requests from its driver.
enum OutboxOutcome: Hashable, Sendable {
    case queues
    case flushes
    case waits
    case fails(ConnectionError)
    case resumes
    case resumesFailing(ConnectionError)
    case arms(Int)
}

/// A list of events with the expected outcomes, and a name.
struct OutboxScenario: CustomTestStringConvertible, Sendable {
    let name: String
    let steps: [(event: OutboxEvent, expected: [OutboxOutcome])]

    init(_ name: String, _ steps: [(OutboxEvent, [OutboxOutcome])]) {
        self.name = name
        self.steps = steps.map { (event: $0.0, expected: $0.1) }
    }

    var testDescription: String { self.name }
}

/// Passes events to an outbox's machine with room for ten bytes, and returns the machine's answers as values.
private struct OutboxRun {
    private var machine = OutboxStateMachine(limit: 10)
    private var writer: OutboxStateMachine.Writer?

    mutating func perform(_ event: OutboxEvent) -> [OutboxOutcome] {
        switch event {
        case .write(let count, let second):
            switch self.machine.queued(byteCount: count) {
            case .fail(let failure): return [.fails(failure)]
            case .queue(let flushes, let hasRoom):
                return [.queues] + (flushes ? [.flushes] : []) + (hasRoom ? [] : self.requestRoom(until: second))
            }
        case .suspended: return self.writer.map { Self.outcomes(self.machine.suspended($0)) } ?? []
        case .cancelled: return self.writer.map { Self.outcomes(self.machine.cancelled($0)) } ?? []
        case .flushed:
            _ = self.machine.flushed()
            return []
        case .writable(let isWritable): return Self.outcomes(self.machine.writabilityChanged(isWritable))
        case .failed(let failure): return Self.outcomes(self.machine.failed(failure))
        case .fired(let second): return Self.outcomes(self.machine.timerFired(now: .at(second)))
        }
    }

    private mutating func requestRoom(until second: Int?) -> [OutboxOutcome] {
        switch self.machine.roomRequested(deadline: second.map(CallDeadline.at)) {
        case .go: return []
        case .fail(let failure): return [.fails(failure)]
        case .wait(let writer):
            self.writer = writer
            return [.waits]
        }
    }

    private static func outcomes(_ effects: OutboxStateMachine.Effects) -> [OutboxOutcome] {
        var outcomes: [OutboxOutcome] = effects.resume.map { resumption in
            switch resumption.result {
            case .success: .resumes
            case .failure(let failure): .resumesFailing(failure)
            }
        }
        if let instant = effects.armTimer { outcomes.append(.arms(Int(instant.nanoseconds / 1_000_000_000))) }
        return outcomes
    }
}

@Suite("OutboxStateMachine")
struct OutboxStateMachineTests {
    static let room: [OutboxScenario] = [
        OutboxScenario("a write that finds room goes on at once", [(.write(9), [.queues, .flushes])]),
        OutboxScenario(
            "writes before the network has come are flushed once",
            [
                (.write(3), [.queues, .flushes]), (.write(3), [.queues]), (.flushed, []), (.writable(true), []),
                (.write(3), [.queues, .flushes]),
            ]
        ),
        OutboxScenario(
            "a write that fills the queue waits until the network has taken it",
            [
                (.write(10), [.queues, .flushes, .waits]), (.suspended, []), (.flushed, []),
                (.writable(true), [.resumes]),
            ]
        ),
        OutboxScenario(
            "room that comes while the writer suspends wakes it at once",
            [
                (.write(10), [.queues, .flushes, .waits]), (.flushed, []), (.writable(true), []),
                (.suspended, [.resumes]),
            ]
        ),
        OutboxScenario(
            "a network that can take no more makes the next write wait",
            [
                (.writable(false), []), (.write(1), [.queues, .flushes, .waits]), (.suspended, []), (.flushed, []),
                (.writable(false), []), (.writable(true), [.resumes]),
            ]
        ),
        OutboxScenario(
            "a write beside one that waits waits, too, and both go on at once",
            [
                (.write(10), [.queues, .flushes, .waits]), (.suspended, []), (.write(5), [.queues, .waits]),
                (.suspended, []), (.flushed, []), (.writable(true), [.resumes, .resumes]),
            ]
        ),
    ]

    static let ending: [OutboxScenario] = [
        OutboxScenario(
            "a failure fails the writer and every later write",
            [
                (.write(10), [.queues, .flushes, .waits]), (.suspended, []),
                (.failed(.reset), [.resumesFailing(.reset)]),
                (.write(1), [.fails(.reset)]),
            ]
        ),
        OutboxScenario(
            "a failure while the writer suspends fails it at once",
            [
                (.write(10), [.queues, .flushes, .waits]), (.failed(.closed), []),
                (.suspended, [.resumesFailing(.closed)]),
            ]
        ),
        OutboxScenario(
            "the first failure is kept",
            [
                (.failed(.reset), []), (.failed(.closed), []), (.write(1), [.fails(.reset)]),
            ]
        ),
        OutboxScenario(
            "cancellation resumes a suspended writer",
            [
                (.write(10), [.queues, .flushes, .waits]), (.suspended, []),
                (.cancelled, [.resumesFailing(.cancelled)]),
                (.flushed, []), (.writable(true), []), (.cancelled, []),
            ]
        ),
        OutboxScenario(
            "cancellation before the suspension resumes the writer when it has suspended",
            [
                (.write(10), [.queues, .flushes, .waits]), (.cancelled, []),
                (.suspended, [.resumesFailing(.cancelled)]),
            ]
        ),
        OutboxScenario(
            "a deadline ends the waiting",
            [
                (.write(10, until: 5), [.queues, .flushes, .waits]), (.suspended, [.arms(5)]),
                (.fired(at: 5), [.resumesFailing(.timedOut(.at(5)))]),
            ]
        ),
        OutboxScenario(
            "a later wait uses the timer that is set already",
            [
                (.write(10, until: 5), [.queues, .flushes, .waits]), (.suspended, [.arms(5)]), (.flushed, []),
                (.writable(true), [.resumes]), (.write(10, until: 9), [.queues, .flushes, .waits]), (.suspended, []),
                (.fired(at: 5), [.arms(9)]), (.fired(at: 9), [.resumesFailing(.timedOut(.at(9)))]),
            ]
        ),
        OutboxScenario(
            "a timer that fires for nobody does nothing",
            [
                (.write(10, until: 5), [.queues, .flushes, .waits]), (.suspended, [.arms(5)]), (.flushed, []),
                (.writable(true), [.resumes]), (.fired(at: 5), []),
            ]
        ),
    ]

    @Test(arguments: [Self.room, Self.ending].joined())
    func `answers each event as listed`(scenario: OutboxScenario) {
        var run = OutboxRun()
        for (index, step) in scenario.steps.enumerated() {
            #expect(run.perform(step.event) == step.expected, "step \(index): \(step.event)")
        }
    }
}
