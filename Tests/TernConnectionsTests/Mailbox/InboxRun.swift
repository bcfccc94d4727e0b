// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import Testing

/// An event of an inbox, for tests that are lists of events with their expected outcomes.
enum InboxEvent: Sendable {
    case read(Int = 1, until: Int? = nil)
    case suspended
    case cancelled
    /// Bytes arrive; `spare` is the number of bytes that would still fit after them.
    case received(String, spare: Int = 0)
    case readCompleted
    case limited(until: Int?)
    case taken
    case takenWhole
    case noticed
    case ended(ConnectionError?)
    case closed
    case fired(at: Int)
}

/// The actions that an inbox requests from its driver.
enum InboxOutcome: Hashable, Sendable {
    case waits
    case gives(String?)
    case fails(ConnectionError)
    case resumes(String?)
    case resumesFailing(ConnectionError)
    case demands
    case pauses
    case arms(Int)
    case reportsEnd
}

/// A list of events with the expected outcomes, and a name.
struct InboxScenario: CustomTestStringConvertible, Sendable {
    let name: String
    var limit = 1 << 16
    let steps: [(event: InboxEvent, expected: [InboxOutcome])]

    init(_ name: String, limit: Int = 1 << 16, _ steps: [(InboxEvent, [InboxOutcome])]) {
        self.name = name
        self.limit = limit
        self.steps = steps.map { (event: $0.0, expected: $0.1) }
    }

    var testDescription: String { self.name }
}

/// Passes events to an inbox's machine, and returns the machine's answers as values.
struct InboxRun {
    private(set) var machine: InboxStateMachine
    private var readers: [InboxStateMachine.Reader] = []

    init(limit: Int = 1 << 16) { self.machine = InboxStateMachine(limit: limit) }

    mutating func perform(_ event: InboxEvent) -> [InboxOutcome] {
        switch event {
        case .read(let count, let second):
            switch self.machine.readRequested(atLeast: count, deadline: second.map(CallDeadline.at)) {
            case .give(let result, let resumesReading):
                return [Self.outcome(result, InboxOutcome.gives, InboxOutcome.fails)]
                    + (resumesReading ? [.demands] : [])
            case .wait(let reader, let resumesReading):
                self.readers.append(reader)
                return [.waits] + (resumesReading ? [.demands] : [])
            }
        case .suspended: return self.readers.last.map { Self.outcomes(self.machine.suspended($0)) } ?? []
        case .cancelled: return self.readers.last.map { Self.outcomes(self.machine.cancelled($0)) } ?? []
        case .received(let text, let spare):
            var bytes = ByteBuffer(string: text)
            if spare > 0 { bytes.reserveCapacity(minimumWritableBytes: spare) }
            self.machine.received(bytes)
            return []
        case .readCompleted:
            let (effects, continues) = self.machine.readCompleted()
            return Self.outcomes(effects) + (continues ? [] : [.pauses])
        case .limited(let second): return Self.outcomes(self.machine.readsLimited(to: second.map(CallDeadline.at)))
        case .taken:
            let (bytes, resumesReading) = self.machine.taken()
            return [.gives(bytes.map { String(buffer: $0) })] + (resumesReading ? [.demands] : [])
        case .takenWhole: return [.gives(self.machine.takenWhole().map { String(buffer: $0) })]
        case .noticed:
            self.machine.noticed()
            return []
        case .ended(let failure): return Self.outcomes(self.machine.ended(failure))
        case .closed: return Self.outcomes(self.machine.closed())
        case .fired(let second): return Self.outcomes(self.machine.timerFired(now: .at(second)))
        }
    }

    private static func outcomes(_ effects: InboxStateMachine.Effects) -> [InboxOutcome] {
        var outcomes: [InboxOutcome] = []
        if let result = effects.resume {
            outcomes.append(Self.outcome(result, InboxOutcome.resumes, InboxOutcome.resumesFailing))
        }
        if effects.resumesReading { outcomes.append(.demands) }
        if let instant = effects.armTimer { outcomes.append(.arms(Int(instant.nanoseconds / 1_000_000_000))) }
        if effects.reportsEnd { outcomes.append(.reportsEnd) }
        return outcomes
    }

    private static func outcome(
        _ result: InboxStateMachine.ReadResult,
        _ success: (String?) -> InboxOutcome,
        _ failure: (ConnectionError) -> InboxOutcome
    ) -> InboxOutcome {
        switch result {
        case .success(let bytes): success(bytes.map { String(buffer: $0) })
        case .failure(let error): failure(error)
        }
    }
}

extension ClockInstant {
    /// Returns the instant a number of seconds after the start of the clock.
    static func at(_ second: Int) -> ClockInstant { ClockInstant(nanoseconds: Int64(second) * 1_000_000_000) }
}

extension CallDeadline {
    /// Returns a deadline a number of seconds after the start of the clock.
    static func at(_ second: Int) -> CallDeadline { CallDeadline(.idle, limit: .seconds(second), from: .at(0)) }
}
