// SPDX-License-Identifier: Apache-2.0
import DequeModule

/// What is to be said to a call's delegates, in order and one at a time: events in, actions out, no effects.
struct DelegateQueueStateMachine<Message>: ~Copyable {
    /// What is to be done after an event.
    enum Action {
        case none
        /// Begin to take messages, in a task of their own.
        case startSpeaking
    }

    /// What the speaking task does next.
    enum Step {
        /// Say this, and come back.
        case say(Message)
        /// Nothing is left: end. If `isReleased`, nothing will follow, and the delegates are let go.
        case stop(isReleased: Bool)
    }

    private enum State {
        /// Nothing is being said. Left by a message.
        case silent
        /// A task takes messages. Left when none is there.
        case speaking
    }

    private struct Entry {
        var message: Message
        /// Messages of a kind that are next to each other become one, the latest.
        var kind: Int?
    }

    private var state = State.silent
    private var isFinished = false
    private var entries: Deque<Entry> = []

    /// Whether nothing is being said.
    var isSilent: Bool {
        if case .silent = self.state { true } else { false }
    }

    /// How many messages may wait; a delegate that is slower than this misses interim responses.
    ///
    /// Of those a server may send any number. Beyond it, progress takes the place of what is known of the same progress before, and is never lost.
    private static var maximumCount: Int { 256 }

    init() {}

    /// Something is to be said; nothing is, once the last message was given.
    ///
    /// - Parameters:
    ///   - message: what to say.
    ///   - kind: messages of one kind replace each other where nothing else was said between, and wherever they are once
    ///     too many messages wait; `nil` never replaces.
    ///   - isDispensable: whether it is left out once too many messages wait; not by default.
    /// - Returns: Whether the caller has to begin to speak.
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
        return .startSpeaking
    }

    /// The last messages: what comes after them is not said.
    mutating func finish(_ messages: [Message]) -> Action {
        guard !self.isFinished else { return .none }
        self.isFinished = true
        for message in messages { self.entries.append(Entry(message: message)) }
        guard case .silent = self.state else { return .none }
        self.state = .speaking
        return .startSpeaking
    }

    /// The speaking task is ready for the next message.
    mutating func next() -> Step {
        if let entry = self.entries.popFirst() { return .say(entry.message) }
        self.state = .silent
        return .stop(isReleased: self.isFinished)
    }
}
