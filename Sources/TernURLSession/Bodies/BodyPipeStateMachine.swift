// SPDX-License-Identifier: Apache-2.0
import TernURLLoading

/// Decides how the pieces of a request body pass from the task that reads their source to the thread of `URLSession`.
///
/// At most one piece is inside, so that the source is not read faster than the server accepts the body.
struct BodyPipeStateMachine: Sendable {
    enum WriteStep: Hashable, Sendable {
        case stored
        case wait
        case refused
    }

    enum ReadStep: Hashable, Sendable {
        case bytes(Data)
        case end
        /// The body ends early, so the request must not be completed.
        case failed
        case wait
    }

    private enum State: Sendable {
        /// The source may deliver more. Ends with `end`, `fail` or `close`.
        case open(Data)
        /// The source has delivered its last bytes, of which these are left. Ends with `fail` or `close`.
        case ended(Data)
        /// The source has failed, or the exchange has stopped it. Ends with `close`.
        case failed
        /// `URLSession` takes no more. This state is final.
        case closed
    }

    private var state = State.open(Data())

    mutating func write(_ piece: Data) -> WriteStep {
        switch self.state {
        case .open(let rest):
            guard rest.isEmpty else { return .wait }
            self.state = .open(piece)
            return .stored
        case .ended, .failed, .closed: return .refused
        }
    }

    var isWritable: Bool {
        if case .open(let rest) = self.state { rest.isEmpty } else { true }
    }

    var isReadable: Bool {
        if case .open(let rest) = self.state { !rest.isEmpty } else { true }
    }

    mutating func end() {
        if case .open(let rest) = self.state { self.state = .ended(rest) }
    }

    mutating func fail() {
        if case .closed = self.state { return }
        self.state = .failed
    }

    mutating func close() { self.state = .closed }

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
