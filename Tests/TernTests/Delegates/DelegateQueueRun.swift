// SPDX-License-Identifier: Apache-2.0
import TernConnections

@testable import Tern

/// An event of a queue of messages; texts name the messages and the tasks that wait.
enum DelegateQueueEvent: Hashable, Sendable {
    case posts(String)
    case asks(String)
    /// The call ends, and a task waits for the last message.
    case finishes(String? = nil)
    /// The task that delivers messages asks for the next one; the method of the previous one has returned.
    case next
    /// The call stops waiting for the answer to a question.
    case abandonsQuestion(String)
    /// The call stops waiting for the method that runs.
    case abandons
    /// The delegates are released.
    case releases
}

/// An action that the queue requests from its caller.
enum DelegateQueueOutcome: Hashable, Sendable {
    case starts
    case says(String)
    case handsOver
    case stops(isReleased: Bool)
    case refuses(String)
    case cancels
    case ends(String)
    case resumes(String)
}

/// Passes events to the machine, and returns the machine's answers as values.
struct DelegateQueueRun: ~Copyable {
    private typealias Machine = DelegateQueueStateMachine<String>

    private var machine = Machine()
    private var questions: [String: Machine.Question] = [:]
    private var waits: [(name: String, wait: Machine.EndWait)] = []

    mutating func perform(_ event: DelegateQueueEvent) -> [DelegateQueueOutcome] {
        switch event {
        case .posts(let message): return Self.outcomes(self.machine.post(message))
        case .asks(let message):
            guard let asked = self.machine.ask(message) else { return [.refuses(message)] }
            self.questions[message] = asked.question
            return Self.outcomes(asked.action)
        case .finishes(let name):
            let wait = name.map { (name: $0, wait: Machine.EndWait()) }
            if let wait { self.waits.append(wait) }
            return self.outcomes(self.machine.finish(["last"], awaitedBy: wait?.wait))
        case .next:
            switch self.machine.next() {
            case .say(let message): return [.says(message)]
            case .handOver: return [.handsOver]
            case .stop(let isReleased): return [.stops(isReleased: isReleased)]
            }
        case .abandonsQuestion(let message):
            return self.questions[message].map { self.outcomes(self.machine.abandon($0)) } ?? []
        case .abandons: return self.outcomes(self.machine.abandon())
        case .releases: return self.names(of: self.machine.released()).map { .resumes($0) }
        }
    }

    private static func outcomes(_ action: Machine.Action) -> [DelegateQueueOutcome] {
        switch action {
        case .none: []
        case .startDelivering: [.starts]
        }
    }

    private func outcomes(_ effects: Machine.Effects) -> [DelegateQueueOutcome] {
        let ended = effects.endedQuestions.map { DelegateQueueOutcome.ends($0) }
        let resumed = self.names(of: effects.endWaits).map { DelegateQueueOutcome.resumes($0) }
        return Self.outcomes(effects.action) + (effects.cancelsDelivering ? [.cancels] : []) + ended + resumed
    }

    private func names(of waits: [Machine.EndWait]) -> [String] {
        waits.map { wait in self.waits.first { $0.wait === wait }?.name ?? "?" }
    }
}
