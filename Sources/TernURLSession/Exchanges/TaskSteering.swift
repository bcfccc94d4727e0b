// SPDX-License-Identifier: Apache-2.0

/// Brings a task of `URLSession` into the wanted state, one command after the other.
///
/// Several threads decide what the task should do. If each called the task itself, a `resume()` might overtake the `suspend()`
/// before it, so only one thread at a time carries out commands, until the task is in the wanted state.
struct TaskSteering: Hashable, Sendable {
    enum Wish: Hashable, Sendable {
        case idle
        case running
        case paused
        /// The task is not needed any more. This wish is final.
        case cancelled
    }

    enum Command: Hashable, Sendable {
        case resume
        case suspend
        case cancel
    }

    /// The wanted state; once it is `cancelled`, it does not change.
    var wish = Wish.idle {
        didSet { if oldValue == .cancelled { self.wish = .cancelled } }
    }

    private var reached = Wish.idle
    private var isBusy = false

    /// Returns the next command, after which the caller calls ``didPerform(_:)``; `nil` if the task is in the wanted state, and
    /// while another thread carries out commands.
    mutating func next() -> Command? {
        guard !self.isBusy, self.wish != self.reached else { return nil }
        let command: Command
        switch self.wish {
        case .idle: return nil
        case .running: command = .resume
        case .paused:
            // A task that has not begun must not be suspended once more.
            guard self.reached == .running else { return nil }
            command = .suspend
        case .cancelled: command = .cancel
        }
        self.isBusy = true
        return command
    }

    mutating func didPerform(_ command: Command) {
        self.isBusy = false
        switch command {
        case .resume: self.reached = .running
        case .suspend: self.reached = .paused
        case .cancel: self.reached = .cancelled
        }
    }
}
