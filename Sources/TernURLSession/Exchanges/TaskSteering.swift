// SPDX-License-Identifier: Apache-2.0

/// Brings a task of `URLSession` into the wanted state, one command after the other.
///
/// Several threads decide what the task should do, and they carry out their decisions without a lock. If each thread
/// called the task itself, a `resume()` might overtake the `suspend()` before it, and the task would be suspended
/// forever. So only one thread at a time carries out commands, and continues until the task is in the wanted state.
struct TaskSteering: Hashable, Sendable {
    /// A state of the task.
    enum Wish: Hashable, Sendable {
        /// The task has not begun.
        case idle
        /// The task transfers data.
        case running
        /// The task transfers no data until it runs again.
        case paused
        /// The task is over. This state is final.
        case cancelled
    }

    /// A method of the task.
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

    /// Returns the next command to carry out; `nil` if there is none, or if another thread is carrying out commands.
    ///
    /// The caller carries the command out and calls ``didPerform(_:)``.
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

    /// Records that a command was carried out.
    mutating func didPerform(_ command: Command) {
        self.isBusy = false
        switch command {
        case .resume: self.reached = .running
        case .suspend: self.reached = .paused
        case .cancel: self.reached = .cancelled
        }
    }
}
