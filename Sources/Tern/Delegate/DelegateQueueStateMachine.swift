// SPDX-License-Identifier: Apache-2.0
import DequeModule

/// Decides which message a call's delegates receive next: in order and one at a time.
///
/// It calls no delegate itself, and returns what the caller must do.
struct DelegateQueueStateMachine<Message>: ~Copyable {
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
        /// All messages are delivered: end the task.
        ///
        /// If `isReleased` is `true`, no other message will follow, so release the delegates.
        case stop(isReleased: Bool)
    }

    private enum State {
        /// No task delivers messages.
        ///
        /// The next message ends this state.
        case silent
        /// A task delivers messages.
        ///
        /// This state ends when all messages are delivered.
        case speaking
    }

    private struct Entry {
        var message: Message
        /// The kind of the message, or `nil`.
        ///
        /// A newer message of the same kind may replace it. A message without a kind is never replaced.
        var kind: Int?
    }

    private var state = State.silent
    private var isFinished = false
    private var entries: Deque<Entry> = []

    /// Whether no task delivers messages.
    var isSilent: Bool {
        if case .silent = self.state { true } else { false }
    }

    /// The number of waiting messages at which the queue begins to drop dispensable messages.
    ///
    /// A server may send any number of interim responses, so a slow delegate misses those beyond this number. A message
    /// about progress then replaces an older message of the same kind, so the latest progress is never lost. The queue
    /// still adds all other messages.
    private static var maximumCount: Int { 256 }

    init() {}

    /// Adds a message to the queue, or ignores it if the call has ended.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - kind: The message replaces the last waiting message if both have this kind. When too many messages wait, it
    ///     replaces an earlier one of this kind, too. Defaults to `nil`: the message replaces no other.
    ///   - isDispensable: Whether to drop the message once too many messages wait. Defaults to `false`.
    /// - Returns: Whether the caller must start a task that delivers messages.
    mutating func post(_ message: Message, kind: Int? = nil, isDispensable: Bool = false) -> Action {
        guard !self.isFinished else { return .none }
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
        guard case .silent = self.state else { return .none }
        self.state = .speaking
        return .startDelivering
    }

    /// Adds the last messages of the call; the queue ignores all later messages.
    mutating func finish(_ messages: [Message]) -> Action {
        guard !self.isFinished else { return .none }
        self.isFinished = true
        for message in messages { self.entries.append(Entry(message: message)) }
        guard case .silent = self.state else { return .none }
        self.state = .speaking
        return .startDelivering
    }

    /// Returns the next step of the task that delivers messages.
    mutating func next() -> Step {
        if let entry = self.entries.popFirst() { return .say(entry.message) }
        self.state = .silent
        return .stop(isReleased: self.isFinished)
    }
}
