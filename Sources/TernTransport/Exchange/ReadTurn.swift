// SPDX-License-Identifier: Apache-2.0
public import Synchronization
public import TernErrors

/// Lets one task at a time read a body: a task takes the progress of reading, and puts it back.
///
/// Every piece of a body passes through here, so the code must be specialized in the modules that use it. The compiler
/// does not do that for `package` types, so this type is public, with an SPI that only this package imports.
@_spi(CrossModuleInlining)
public struct ReadTurn<Progress: ~Copyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline
    enum State: ~Copyable, Sendable {
        /// No task reads. Left by a read.
        case open(Progress)
        /// A task reads. Left when it has its bytes, or the end.
        case reading
        /// The end or an error was delivered. Never left.
        case finished
        /// The body was discarded before its end. Never left.
        case discarded

        @usableFromInline var isDiscarded: Bool {
            switch self {
            case .discarded: true
            default: false
            }
        }
    }

    @usableFromInline let state: Mutex<State>

    /// Creates a turn that no task holds.
    @inlinable
    public init(_ progress: consuming Progress) { self.state = Mutex(.open(progress)) }

    /// Takes the turn.
    ///
    /// - Parameter context: The context of the error.
    /// - Returns: The progress of reading; `nil` after the end.
    /// - Throws: `ClientError.bodyMisused` if another task has the turn, or if the body was discarded.
    @inlinable
    public borrowing func take(_ context: @autoclosure () -> ClientError.Context) throws(ClientError) -> Progress? {
        switch self.begin() {
        case .open(let progress): return progress
        case .reading: throw .bodyMisused(.concurrentReads, context())
        case .discarded: throw .bodyMisused(.discarded, context())
        case .finished: return nil
        }
    }

    /// Takes the turn for a call.
    @inlinable
    public borrowing func take(_ call: HTTPCall) throws(ClientError) -> Progress? {
        try self.take(call.context(.body))
    }

    /// Gives the turn back; the next read continues from this progress.
    ///
    /// If the body was discarded during the turn, the progress is released.
    @inlinable
    public borrowing func giveBack(_ progress: consuming Progress) {
        var next: State? = .open(progress)
        self.state.withLock { state in
            if state.isDiscarded { return }
            if let open = next.take() { state = open }
        }
    }

    /// Ends reading: from now on the turn returns `nil`.
    ///
    /// - Returns: Whether the body was discarded before, so that the turn throws instead.
    @inlinable
    @discardableResult
    public borrowing func end() -> Bool {
        self.state.withLock { state in
            if state.isDiscarded { return true }
            state = .finished
            return false
        }
    }

    /// Discards the body: from now on the turn throws, unless the end was delivered before.
    ///
    /// - Parameter isForced: Whether to discard the body even if a task is reading. Defaults to `true`.
    /// - Returns: The progress, if no task is reading; otherwise the task that reads releases it.
    @inlinable
    public borrowing func discard(isForced: Bool = true) -> Progress? {
        self.state.withLock { state in
            let taken = state
            switch consume taken {
            case .open(let progress):
                state = .discarded
                return progress
            case .reading:
                state = isForced ? .discarded : .reading
                return nil
            case .discarded:
                state = .discarded
                return nil
            case .finished:
                state = .finished
                return nil
            }
        }
    }

    /// Takes the state, and records that a task is reading.
    @usableFromInline
    borrowing func begin() -> State {
        self.state.withLock { state in
            let taken = state
            switch consume taken {
            case .open(let progress):
                state = .reading
                return .open(progress)
            case .reading:
                state = .reading
                return .reading
            case .finished:
                state = .finished
                return .finished
            case .discarded:
                state = .discarded
                return .discarded
            }
        }
    }
}
