// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation
import Testing

@testable import TernRequests

/// An event of a body that the application writes piece by piece; the text identifies each piece.
enum BodyWriterEvent: Sendable {
    case write(String, isCancelled: Bool = false)
    case cancelWrite(String)
    case finish
    case finishWithTrailers
    case fail
    case makeReader
    case read(isCancelled: Bool = false)
    case cancelRead
    case releaseReader
    case beginCall
    case releaseBody(byCall: Bool)
    case endCall
}

/// The outcome of an event.
enum BodyWriterOutcome: Hashable, Sendable {
    case writes(String, BodyWriterStateMachine.WriteOutcome)
    case reads(String)
    case readsEnd
    case readsTrailers
    case readFails(String)
    case readIsCancelled
    case refused
}

/// A list of events with the expected outcomes, and a name.
struct BodyWriterScenario: CustomTestStringConvertible, Sendable {
    let name: String
    let steps: [(event: BodyWriterEvent, expected: [BodyWriterOutcome])]

    init(_ name: String, _ steps: [(BodyWriterEvent, [BodyWriterOutcome])]) {
        self.name = name
        self.steps = steps.map { (event: $0.0, expected: $0.1) }
    }

    var testDescription: String { self.name }
}

/// Passes events to the machine, and returns the machine's answers as values.
struct BodyWriterRun {
    struct Broken: Error {}

    private var machine = BodyWriterStateMachine()
    private var writes: [BodyWriterStateMachine.Write: String] = [:]

    mutating func perform(_ event: BodyWriterEvent) -> [BodyWriterOutcome] {
        switch event {
        case .write(let text, let isCancelled):
            let write = self.machine.begun()
            self.writes[write] = text
            return self.outcomes(self.machine.suspended(write, with: Data(text.utf8), isCancelled: isCancelled))
        case .cancelWrite(let text):
            let write = self.writes.first { $0.value == text }?.key
            return write.map { self.outcomes(self.machine.cancelled($0)) } ?? []
        case .finish: return self.outcomes(self.machine.finished(trailers: nil))
        case .finishWithTrailers: return self.outcomes(self.machine.finished(trailers: [.eTag: "1"]))
        case .fail: return self.outcomes(self.machine.failed(Broken()))
        case .makeReader: return self.machine.readerMade() ? [] : [.refused]
        case .read(let isCancelled): return self.outcomes(self.machine.readRequested(isCancelled: isCancelled))
        case .cancelRead: return self.outcomes(self.machine.readCancelled())
        case .releaseReader: return self.outcomes(self.machine.readerReleased())
        case .beginCall: return self.machine.callBegan() ? [] : [.refused]
        case .releaseBody(let byCall): return self.outcomes(self.machine.bodyReleased(byCall: byCall))
        case .endCall: return self.outcomes(self.machine.callEnded())
        }
    }

    private func outcomes(_ effects: BodyWriterStateMachine.Effects) -> [BodyWriterOutcome] {
        let writes: [BodyWriterOutcome] = effects.writes.map { .writes(self.writes[$0.write] ?? "?", $0.outcome) }
        return switch effects.reading {
        case .piece(let data): writes + [.reads(String(decoding: data, as: UTF8.self))]
        case .end(let trailers): writes + [trailers == nil ? .readsEnd : .readsTrailers]
        case .failed(let error): writes + [.readFails("\(type(of: error))")]
        case .cancelled: writes + [.readIsCancelled]
        case nil: writes
        }
    }
}

@Suite("The state machine of a body that is written by hand")
struct BodyWriterStateMachineTests {
    @Test(arguments: Self.scenarios)
    func `each event has its outcome`(_ scenario: BodyWriterScenario) {
        var run = BodyWriterRun()
        for (index, step) in scenario.steps.enumerated() {
            #expect(run.perform(step.event) == step.expected, "step \(index + 1): \(step.event)")
        }
    }

    /// For every order of events, no task waits at the end, and no task is resumed twice.
    @Test func `every order of five events leaves no task that waits`() {
        let events: [BodyWriterEvent] = [
            .write("a"), .write("b"), .cancelWrite("a"), .finish, .fail, .read(), .cancelRead, .releaseReader, .endCall,
            .releaseBody(byCall: true), .releaseBody(byCall: false),
        ]
        var count = 0
        func check(_ run: BodyWriterRun, waiting: Set<String>, isReading: Bool, taken: Set<Int>) {
            if taken.count == 5 {
                var (run, waiting, isReading) = (run, waiting, isReading)
                // The call ends, and its reader is released.
                for event in [BodyWriterEvent.cancelRead, .releaseReader] {
                    Self.account(run.perform(event), &waiting, &isReading)
                }
                #expect(waiting.isEmpty && !isReading)
                count += 1
                return
            }
            for (index, event) in events.enumerated() where !taken.contains(index) {
                // Only one task reads at a time.
                if case .read = event, isReading { continue }
                var (run, waiting, isReading) = (run, waiting, isReading)
                if case .write(let text, _) = event { waiting.insert(text) }
                if case .read = event { isReading = true }
                Self.account(run.perform(event), &waiting, &isReading)
                check(run, waiting: waiting, isReading: isReading, taken: taken.union([index]))
            }
        }
        var run = BodyWriterRun()
        #expect(run.perform(.makeReader) == [])
        check(run, waiting: [], isReading: false, taken: [])
        #expect(count == 11 * 10 * 9 * 8 * 7)
    }

    private static func account(_ outcomes: [BodyWriterOutcome], _ waiting: inout Set<String>, _ isReading: inout Bool)
    {
        for outcome in outcomes {
            if case .writes(let text, _) = outcome {
                #expect(waiting.remove(text) != nil, "\(text) was resumed twice")
            } else {
                #expect(isReading, "the reader was resumed twice")
                isReading = false
            }
        }
    }
}
