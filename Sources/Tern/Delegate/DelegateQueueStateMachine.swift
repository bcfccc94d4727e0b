// SPDX-License-Identifier: Apache-2.0
import DequeModule

/// Decides which message a call's delegates receive next: in order and one at a time.
///
/// Events in, actions out, no effects.
struct DelegateQueueStateMachine<Message>: ~Copyable {
    /// The action after an event.
    enum Action {
        case none
        /// Start a task that delivers messages.
        case startDelivering
    }

    /// The next step of the delivering task.
    enum Step {
        /// Deliver this message, then ask for the next step.
        case say(Message)
        /// All messages are delivered: end the task.
        ///
        /// If `isReleased`, no message will follow, so release the delegates.
        case stop(isReleased: Bool)
    }

    private enum State {
        /// No task delivers messages.
        ///
        /// The machine leaves this state when a message arrives.
        case silent
        /// A task delivers messages.
        ///
        /// The machine leaves this state when all messages are delivered.
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

    /// The maximum number of waiting messages; a delegate that falls further behind misses interim responses.
    ///
    /// A server may send any number of interim responses. Past the limit, newer progress replaces older progress of the
    /// same kind, so the latest is never lost.
    private static var maximumCount: Int { 256 }

    init() {}

    /// Adds a message to the queue; ignores it after the last messages.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - kind: Messages of one kind replace each other when they are adjacent, and anywhere once too many messages
    ///     wait. Defaults to `nil`, which never replaces.
    ///   - isDispensable: Whether to drop the message once too many messages wait. Defaults to `false`.
    /// - Returns: Whether the caller has to start a task that delivers messages.
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

    /// Adds the last messages; later ones are ignored.
    mutating func finish(_ messages: [Message]) -> Action {
        guard !self.isFinished else { return .none }
        self.isFinished = true
        for message in messages { self.entries.append(Entry(message: message)) }
        guard case .silent = self.state else { return .none }
        self.state = .speaking
        return .startDelivering
    }

    /// Returns the next step of the delivering task.
    mutating func next() -> Step {
        if let entry = self.entries.popFirst() { return .say(entry.message) }
        self.state = .silent
        return .stop(isReleased: self.isFinished)
    }
}
