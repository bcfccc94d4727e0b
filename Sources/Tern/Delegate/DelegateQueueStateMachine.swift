// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// Decides which message a call's delegates receive next: in order and one at a time.
struct DelegateQueueStateMachine<Message: Sendable>: ~Copyable {
    /// A task's wait for the delivery of the last message; `false` if the task stopped waiting before.
    typealias EndWait = Suspension<Bool>

    enum Action {
        case none
        case startDelivering
    }

    enum Step {
        case say(Message)
        /// End the task, which was cancelled, and deliver the waiting messages in a new task.
        case handOver
        /// End the task; if `isReleased`, no other message will follow, so release the delegates.
        case stop(isReleased: Bool)
    }

    struct Question: Equatable {
        fileprivate let number: Int
    }

    struct Effects {
        var action = Action.none
        var cancelsDelivering = false
        var endWaits: [EndWait] = []
        /// The questions to end, because the call has ended: it no longer needs their answers, but a dial may wait for one.
        var endedQuestions: [Message] = []
    }

    private enum Delivery {
        /// No task delivers messages. The next message ends this state.
        case silent
        /// A task delivers messages, and asks for the next one. The state ends when it has got one, or there is none.
        case fetching
        /// A method of a delegate runs for this message. The state ends when it returns, or the call stops waiting for it.
        case saying(Entry)
        /// The call has stopped waiting for a method. The state ends when it returns; if messages wait, another task goes on.
        case abandoned
    }

    private enum Life {
        /// More messages may come. The state ends with the call.
        case open
        /// The last messages were added. The state ends when they are delivered.
        case finishing([EndWait])
        /// The delegates were released. This state never ends.
        case over
    }

    private struct Entry {
        var message: Message
        /// The kind of the message, which a newer one of the same kind may replace.
        var kind: Int?
        var question: Int?
    }

    private var delivery = Delivery.silent
    private var life = Life.open
    private var entries: Deque<Entry> = []
    private var questionCount = 0

    /// The maximum number of messages that wait for a slow delegate.
    ///
    /// Beyond it, the queue merges reports of progress, and drops interim responses, of which a server may send any number.
    private static var maximumCount: Int { 256 }

    init() {}

    // MARK: Messages

    /// Adds a message, or ignores it if the call has ended; returns whether to start a task that delivers messages.
    ///
    /// The message replaces the last waiting one if that has the same `kind`, and an earlier one of this kind when too many wait.
    mutating func post(_ message: Message, kind: Int? = nil, isDispensable: Bool = false) -> Action {
        guard case .open = self.life else { return .none }
        if let kind, let last = self.entries.last, last.kind == kind {
            self.entries[self.entries.count - 1].message = message
            return .none
        }
        if self.entries.count >= Self.maximumCount {
            if isDispensable { return .none }
            if let kind, let index = self.entries.lastIndex(where: { $0.kind == kind }) {
                self.entries.remove(at: index)
            }
        }
        self.entries.append(Entry(message: message, kind: kind))
        return self.startDelivering()
    }

    /// Adds a question to the queue; `nil` if the call has ended, so that no delegate will answer.
    mutating func ask(_ message: Message) -> (question: Question, action: Action)? {
        guard case .open = self.life else { return nil }
        self.questionCount += 1
        self.entries.append(Entry(message: message, question: self.questionCount))
        return (Question(number: self.questionCount), self.startDelivering())
    }

    /// Adds the last messages of the call, and ends its waiting questions; `wait` ends when the messages are delivered, or when the
    /// call stops waiting for a method.
    mutating func finish(_ messages: [Message], awaitedBy wait: EndWait? = nil) -> Effects {
        var effects = Effects()
        if case .open = self.life {
            self.life = .finishing([])
            for index in self.entries.indices where self.entries[index].question != nil {
                effects.endedQuestions.append(self.entries[index].message)
                self.entries[index].question = nil
            }
            for message in messages { self.entries.append(Entry(message: message)) }
            effects.action = self.startDelivering()
        }
        guard let wait else { return effects }
        switch (self.life, self.delivery) {
        case (.finishing(let waits), .fetching), (.finishing(let waits), .saying):
            self.life = .finishing(waits + [wait])
        default: effects.endWaits = [wait]
        }
        return effects
    }

    private mutating func startDelivering() -> Action {
        guard case .silent = self.delivery else { return .none }
        self.delivery = .fetching
        return .startDelivering
    }

    // MARK: Delivering

    /// Returns the next step of the task that delivers messages, after the method of the previous one has returned.
    mutating func next() -> Step {
        if case .abandoned = self.delivery, !self.entries.isEmpty {
            self.delivery = .fetching
            return .handOver
        }
        guard let next = self.entries.popFirst() else {
            self.delivery = .silent
            if case .finishing = self.life { return .stop(isReleased: true) }
            return .stop(isReleased: false)
        }
        self.delivery = .saying(next)
        return .say(next.message)
    }

    /// Stops waiting for the method that is running, unless `question` names another question.
    mutating func abandon(_ question: Question? = nil) -> Effects {
        guard case .saying(let entry) = self.delivery, question == nil || question?.number == entry.question else {
            return Effects()
        }
        self.delivery = .abandoned
        var effects = Effects(cancelsDelivering: true)
        // The task that abandons a question itself no longer waits for the answer.
        if question == nil, entry.question != nil { effects.endedQuestions = [entry.message] }
        if case .finishing(let waits) = self.life {
            self.life = .finishing([])
            effects.endWaits = waits
        }
        return effects
    }

    mutating func released() -> [EndWait] {
        defer { self.life = .over }
        if case .finishing(let waits) = self.life { return waits }
        return []
    }
}
