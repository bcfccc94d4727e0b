// SPDX-License-Identifier: Apache-2.0
package import Synchronization
package import TernErrors

/// Whose turn it is to read a body: one task at a time takes how far reading has come, and puts it back.
///
/// Code that the compiler sees where it is used, because each piece of a body passes here.
package struct ReadTurn<Progress: ~Copyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline
    enum State: ~Copyable, Sendable {
        /// Nobody reads. Left by a read.
        case open(Progress)
        /// A task reads. Left when it has its bytes, or the end.
        case reading
        /// The end was given, or an error. Never left.
        case finished
    }

    @usableFromInline let state: Mutex<State>

    /// Nobody reads yet.
    @inlinable
    package init(_ progress: consuming Progress) { self.state = Mutex(.open(progress)) }

    /// Takes the turn.
    ///
    /// - Parameter call: whose body it is.
    /// - Returns: how far reading has come; `nil` after the end.
    /// - Throws: `ClientError.bodyMisused`, if another task has it.
    @inlinable
    package borrowing func take(_ call: Call) throws(ClientError) -> Progress? {
        switch self.begin() {
        case .open(let progress): return progress
        case .reading: throw .bodyMisused(.concurrentReads, call.context(.body))
        case .finished: return nil
        }
    }

    /// Gives the turn back; reading goes on from there.
    @inlinable
    package borrowing func giveBack(_ progress: consuming Progress) {
        var next: State? = .open(progress)
        self.state.withLock { state in
            if let open = next.take() { state = open }
        }
    }

    /// Nobody gets a turn any more.
    @inlinable
    package borrowing func end() { self.state.withLock { $0 = .finished } }

    /// Takes the state, and leaves behind that somebody reads.
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
            }
        }
    }
}
