// SPDX-License-Identifier: Apache-2.0
public import Synchronization
public import TernErrors

/// Lets only one task at a time read a body, and holds the progress of reading, such as a reader.
///
/// Public with an SPI, so that the compiler specializes it in other modules.
@_spi(CrossModuleInlining)
public struct ReadTurn<Progress: ~Copyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline
    enum State: ~Copyable, Sendable {
        /// No task is reading. Ends with the next read, or when the body is discarded.
        case open(Progress)
        /// A task is reading. Ends when it has bytes, the end or an error, or with a forced discard.
        case reading
        /// A read has reached the end or an error. This state is final.
        case finished
        case discarded

        @usableFromInline var isDiscarded: Bool {
            switch self {
            case .discarded: true
            default: false
            }
        }
    }

    @usableFromInline let state: Mutex<State>

    @inlinable
    public init(_ progress: consuming Progress) { self.state = Mutex(.open(progress)) }

    /// Takes the turn; returns `nil` after the end or an error, and throws `bodyMisused` during another read or after a discard.
    @inlinable
    public borrowing func take(_ context: @autoclosure () -> ClientError.Context) throws(ClientError) -> Progress? {
        switch self.begin() {
        case .open(let progress): return progress
        case .reading: throw .bodyMisused(.concurrentReads, context())
        case .discarded: throw .bodyMisused(.discarded, context())
        case .finished: return nil
        }
    }

    @inlinable
    public borrowing func take(_ call: HTTPCall) throws(ClientError) -> Progress? {
        try self.take(call.context(.body))
    }

    /// Gives the turn back, or releases the progress if the body was discarded during the turn.
    @inlinable
    public borrowing func giveBack(_ progress: consuming Progress) {
        var next: State? = .open(progress)
        self.state.withLock { state in
            if state.isDiscarded { return }
            if let open = next.take() { state = open }
        }
    }

    /// Ends reading; returns `true` if the body was already discarded, and `take` therefore throws instead of returning `nil`.
    @inlinable
    @discardableResult
    public borrowing func end() -> Bool {
        self.state.withLock { state in
            if state.isDiscarded { return true }
            state = .finished
            return false
        }
    }

    /// Discards an open body or, if `isForced`, one that a task reads; returns an open body's progress, which the caller releases.
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
