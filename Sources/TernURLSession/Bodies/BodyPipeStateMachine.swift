// SPDX-License-Identifier: Apache-2.0
import TernURLLoading

/// Decides how the pieces of a request body pass from the task that reads their source to the thread on which
/// `URLSession` takes them.
///
/// At most one piece is inside, so that the source is not read faster than the server accepts the body.
struct BodyPipeStateMachine: Sendable {
    /// The answer for the task that writes.
    enum WriteStep: Hashable, Sendable {
        /// The pipe has the piece.
        case stored
        /// Wait until the reader has taken the piece before.
        case wait
        /// No more pieces are wanted.
        case refused
    }

    /// The answer for the thread that reads.
    enum ReadStep: Hashable, Sendable {
        /// Bytes of the body, never empty.
        case bytes(Data)
        /// The body is complete.
        case end
        /// The body could not be read to its end, so the request must not be completed.
        case failed
        /// Wait until the pipe has bytes.
        case wait
    }

    private enum State: Sendable {
        /// The source may deliver more. Ends with `end`, `fail` or `close`.
        case open(Data)
        /// The source has ended after these bytes. Ends with `close`.
        case ended(Data)
        /// The source has failed. Ends with `close`.
        case failed
        /// `URLSession` takes no more. This state is final.
        case closed
    }

    private var state = State.open(Data())

    /// The writer has a piece, which is not empty.
    mutating func write(_ piece: Data) -> WriteStep {
        switch self.state {
        case .open(let rest):
            guard rest.isEmpty else { return .wait }
            self.state = .open(piece)
            return .stored
        case .ended, .failed, .closed: return .refused
        }
    }

    /// Whether the pipe has room for a piece, or takes no more.
    var isWritable: Bool {
        if case .open(let rest) = self.state { rest.isEmpty } else { true }
    }

    /// Whether a read would not have to wait.
    var isReadable: Bool {
        if case .open(let rest) = self.state { !rest.isEmpty } else { true }
    }

    /// The source has ended.
    mutating func end() {
        if case .open(let rest) = self.state { self.state = .ended(rest) }
    }

    /// The source has failed, or the call has ended.
    mutating func fail() {
        if case .closed = self.state { return }
        self.state = .failed
    }

    /// `URLSession` takes no more of the body.
    mutating func close() { self.state = .closed }

    /// The reader takes at most `byteCount` bytes.
    mutating func read(_ byteCount: Int) -> ReadStep {
        switch self.state {
        case .open(let rest):
            guard !rest.isEmpty else { return .wait }
            self.state = .open(rest.dropFirst(byteCount))
            return .bytes(rest.prefix(byteCount))
        case .ended(let rest):
            guard !rest.isEmpty else { return .end }
            self.state = .ended(rest.dropFirst(byteCount))
            return .bytes(rest.prefix(byteCount))
        case .failed, .closed: return .failed
        }
    }
}
