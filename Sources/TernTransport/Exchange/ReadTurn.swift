// SPDX-License-Identifier: Apache-2.0
public import Synchronization
public import TernErrors

/// Lets only one task at a time read a body.
///
/// The turn holds the progress of reading, such as a reader. A task takes the progress, reads, and gives the progress
/// back.
///
/// Every piece of a body passes through here, so the code must be specialized in the modules that use it. The compiler
/// does not specialize `package` types, so this type is public, with an SPI that only this package imports.
@_spi(CrossModuleInlining)
public struct ReadTurn<Progress: ~Copyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline
    enum State: ~Copyable, Sendable {
        /// No task is reading. Ends with the next read.
        case open(Progress)
        /// A task is reading. Ends when that task has bytes, the end or an error, or when the body is discarded.
        case reading
        /// A read has delivered the end or an error. This state is final.
        case finished
        /// The body was discarded before its end. This state is final.
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

    /// Takes the turn to read.
    ///
    /// - Parameter context: The context of an error.
    /// - Returns: The progress of reading; `nil` after a read has delivered the end or an error.
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

    /// Takes the turn to read the body of a call's response.
    @inlinable
    public borrowing func take(_ call: HTTPCall) throws(ClientError) -> Progress? {
        try self.take(call.context(.body))
    }

    /// Gives the turn back; the next read continues from this progress.
    ///
    /// If the body was discarded during the turn, this method releases the progress.
    @inlinable
    public borrowing func giveBack(_ progress: consuming Progress) {
        var next: State? = .open(progress)
        self.state.withLock { state in
            if state.isDiscarded { return }
            if let open = next.take() { state = open }
        }
    }

    /// Ends reading: from now on, `take` returns `nil`.
    ///
    /// - Returns: Whether the body was already discarded. Then `take` throws an error instead.
    @inlinable
    @discardableResult
    public borrowing func end() -> Bool {
        self.state.withLock { state in
            if state.isDiscarded { return true }
            state = .finished
            return false
        }
    }

    /// Discards the body: from now on, `take` throws an error.
    ///
    /// Does nothing if a read has delivered the end or an error.
    ///
    /// - Parameter isForced: Whether to discard the body even while a task is reading. Defaults to `true`.
    /// - Returns: The progress, for the caller to release. `nil` while a task is reading, after the end or an error, or
    ///   after an earlier discard. A task that is reading releases the progress itself.
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

    /// Returns the state before this call, and changes an open state to `reading`.
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
