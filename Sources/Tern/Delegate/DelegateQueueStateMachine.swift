// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// Decides which message a call's delegates receive next: in order and one at a time.
///
/// It calls no delegate itself, and returns what the caller must do.
struct DelegateQueueStateMachine<Message>: ~Copyable {
    /// A task's wait for the delivery of the last message.
    ///
    /// The result is `false` if the task stopped waiting before.
    typealias EndWait = Suspension<Bool>

    /// The action that the caller must take after it has added a message.
    enum Action {
        case none
        /// Start a task that delivers the waiting messages.
        case startDelivering
    }

    /// The next step of the task that delivers messages.
    enum Step {
        /// Deliver this message, then ask for the next step.
        case say(Message)
        /// End the task, which was cancelled, and deliver the waiting messages in a new task.
        case handOver
        /// All messages are delivered: end the task.
        ///
        /// If `isReleased` is `true`, no other message will follow, so release the delegates.
        case stop(isReleased: Bool)
    }

    /// A question that the delegates have to answer.
    struct Question: Equatable {
        fileprivate let number: Int
    }

    /// The effects of the end of the call, or of abandoning a method.
    struct Effects {
        /// The action to take after the last messages were added.
        var action = Action.none
        /// Whether to cancel the task that delivers messages.
        var cancelsDelivering = false
        /// The waits to end with `true`.
        var endWaits: [EndWait] = []
    }

    private enum Delivery {
        /// No task delivers messages. The next message ends this state.
        case silent
        /// A task delivers messages, and asks for the next one. The state ends when it has got one, or there is none.
        case fetching
        /// A method of a delegate runs: an event, or the question with this number. The state ends when the method
        /// returns, or the call stops waiting for it.
        case saying(question: Int?)
        /// A method of a delegate runs, but the call has stopped waiting for it, and has cancelled its task. The state
        /// ends when the method returns; then another task goes on.
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
        /// The kind of the message, or `nil`.
        ///
        /// A newer message of the same kind may replace it. A message without a kind is never replaced.
        var kind: Int?
        /// The number of the question, or `nil` for an event.
        var question: Int?
    }

    private var delivery = Delivery.silent
    private var life = Life.open
    private var entries: Deque<Entry> = []
    private var questionCount = 0

    /// The number of waiting messages at which the queue begins to drop dispensable messages.
    ///
    /// A server may send any number of interim responses, so a slow delegate misses those beyond this number. A message
    /// about progress then replaces an older message of the same kind, so the latest progress is never lost. The queue
    /// still adds all other messages.
    private static var maximumCount: Int { 256 }

    init() {}

    // MARK: Messages

    /// Adds a message to the queue, or ignores it if the call has ended.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - kind: The message replaces the last waiting message if both have this kind. When too many messages wait, it
    ///     replaces an earlier one of this kind, too. Defaults to `nil`: the message replaces no other.
    ///   - isDispensable: Whether to drop the message once too many messages wait. Defaults to `false`.
    /// - Returns: Whether the caller must start a task that delivers messages.
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

    /// Adds a question to the queue.
    ///
    /// - Returns: The question, to be passed to ``abandon(_:)``, and whether the caller must start a task that delivers
    ///   messages; `nil` if the call has ended, so that no delegate will answer.
    mutating func ask(_ message: Message) -> (question: Question, action: Action)? {
        guard case .open = self.life else { return nil }
        self.questionCount += 1
        self.entries.append(Entry(message: message, question: self.questionCount))
        return (Question(number: self.questionCount), self.startDelivering())
    }

    /// Adds the last messages of the call; the queue ignores all later messages.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - wait: A wait that ends when the last message is delivered, or when the call stops waiting for a method.
    ///     Defaults to `nil`.
    /// - Returns: The effects.
    mutating func finish(_ messages: [Message], awaitedBy wait: EndWait? = nil) -> Effects {
        var effects = Effects()
        if case .open = self.life {
            self.life = .finishing([])
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

    /// Returns the next step of the task that delivers messages.
    ///
    /// The method of the previous message has returned.
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
        self.delivery = .saying(question: next.question)
        return .say(next.message)
    }

    /// Stops waiting for the method that is running.
    ///
    /// - Parameter question: If it is not `nil`, the method must be answering this question. Otherwise nothing happens.
    ///   Defaults to `nil`.
    /// - Returns: The effects.
    mutating func abandon(_ question: Question? = nil) -> Effects {
        guard case .saying(let asked) = self.delivery, question == nil || question?.number == asked else {
            return Effects()
        }
        self.delivery = .abandoned
        guard case .finishing(let waits) = self.life else { return Effects(cancelsDelivering: true) }
        self.life = .finishing([])
        return Effects(cancelsDelivering: true, endWaits: waits)
    }

    /// Records that the delegates were released.
    ///
    /// - Returns: The waits to end with `true`.
    mutating func released() -> [EndWait] {
        defer { self.life = .over }
        if case .finishing(let waits) = self.life { return waits }
        return []
    }
}
